// What Streamlit calls a component with: at first, and again whenever its data or the theme changes. What the component
// gives back is called when it is taken off the page.

export interface Mounted<Data> {
  data: [Data] // in a list, which Streamlit passes on as it is (component.py)
  parentElement: ParentNode & Node
  setTriggerValue(name: string, value: unknown): void
}

// A component with much data gets the bytes of its JSON.
export interface MountedPacked<Data> extends Omit<Mounted<Data>, "data"> {
  data: Uint8Array
}

// The root element of a component, with what most components keep on it.
export interface ComponentRoot<Data> extends HTMLElement {
  data: Data
  dataKey?: string // the data as JSON, to detect changes
  trigger: Mounted<Data>["setTriggerValue"]
  reportTimer?: ReturnType<typeof setTimeout> // until the reader's choice is reported to the page
}
