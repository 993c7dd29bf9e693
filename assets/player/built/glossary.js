import{a as o}from"./chunk-4U74YQI2.js";import"./chunk-A6DOK5C4.js";import{b as t}from"./chunk-KBPTRJVK.js";import"./chunk-EWOIXOX4.js";var p=t(o);export{p as default};
