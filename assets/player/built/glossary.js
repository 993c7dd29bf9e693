import{a as o}from"./chunk-K2AVM5O4.js";import"./chunk-A6DOK5C4.js";import{b as t}from"./chunk-DSOR5NWL.js";import"./chunk-Q35YZWYO.js";var p=t(o);export{p as default};
