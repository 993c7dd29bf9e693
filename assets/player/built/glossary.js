import{a as o}from"./chunk-YR4XOBTG.js";import"./chunk-PMNVCPJZ.js";import{b as t}from"./chunk-IZBDJZXM.js";import"./chunk-723VMDJM.js";var p=t(o);export{p as default};
