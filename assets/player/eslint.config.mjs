// Rules of the modules that run in the browser, of their tests and of the tools beside them.
import js from "@eslint/js"
import globals from "globals"

export default [
  { ignores: ["**/built/**", "**/node_modules/**"] },
  js.configs.recommended,
  {
    files: ["**/*.js"],
    languageOptions: { globals: globals.browser },
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-var": "error",
      "prefer-const": "error",
      "no-shadow": "error",
      "no-implicit-globals": "error",
      "no-restricted-properties": [
        "error",
        ...["innerHTML", "outerHTML", "insertAdjacentHTML"].map((property) => ({ property, message: "Texts are set as text." })),
      ],
    },
  },
  { files: ["**/*.mjs"], languageOptions: { globals: globals.node } },
]
