import{a as o}from"./chunk-N6EEGFMJ.js";import"./chunk-D6TNQA4S.js";import{b as t}from"./chunk-M2BF2ICA.js";import"./chunk-UCUPIQRS.js";var p=t(o);export{p as default};
