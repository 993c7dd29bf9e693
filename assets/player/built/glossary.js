import{a as o}from"./chunk-BORRPE54.js";import"./chunk-A6DOK5C4.js";import{b as t}from"./chunk-DSOR5NWL.js";import"./chunk-SQXOLAG4.js";var p=t(o);export{p as default};
