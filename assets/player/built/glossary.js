import{a as o}from"./chunk-NSAFK7NG.js";import"./chunk-D6TNQA4S.js";import{b as t}from"./chunk-IZBDJZXM.js";import"./chunk-723VMDJM.js";var p=t(o);export{p as default};
