import{a as o}from"./chunk-ECCVB2WV.js";import"./chunk-A6DOK5C4.js";import{b as t}from"./chunk-DSOR5NWL.js";import"./chunk-7BTLQOFJ.js";var p=t(o);export{p as default};
