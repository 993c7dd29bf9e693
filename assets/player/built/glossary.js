import{a as o}from"./chunk-PXRAZZVJ.js";import"./chunk-KYISKMWP.js";import{b as t}from"./chunk-DWN5CRBT.js";import"./chunk-VR23XCKM.js";var p=t(o);export{p as default};
