import{a as o}from"./chunk-2NETWXFI.js";import"./chunk-KYISKMWP.js";import{b as t}from"./chunk-POVEZORS.js";import"./chunk-6DAIERI4.js";var p=t(o);export{p as default};
