import{a as o}from"./chunk-AEOJNL3G.js";import"./chunk-A6DOK5C4.js";import{b as t}from"./chunk-DSOR5NWL.js";import"./chunk-UCUPIQRS.js";var p=t(o);export{p as default};
