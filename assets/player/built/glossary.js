import{a as o}from"./chunk-CNNIBMOA.js";import"./chunk-A6DOK5C4.js";import{b as t}from"./chunk-DSOR5NWL.js";import"./chunk-N3ANV4S2.js";var p=t(o);export{p as default};
