import{a as o}from"./chunk-V5OAFP5W.js";import"./chunk-PMNVCPJZ.js";import{b as t}from"./chunk-POVEZORS.js";import"./chunk-6DAIERI4.js";var p=t(o);export{p as default};
