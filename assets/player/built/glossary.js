import{a as o}from"./chunk-JFT4PYRV.js";import"./chunk-A6DOK5C4.js";import{b as t}from"./chunk-DSOR5NWL.js";import"./chunk-IJ45F7Z2.js";var p=t(o);export{p as default};
