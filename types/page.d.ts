// What the browser's own types cannot know: the markup is the server's. A selector finds a `Part`, whatever kind of element that is,
// and events in a page come from one. Null stays null: `need` (static/site/need.js) is for what every such page has.

interface Part extends HTMLElement {
  // of forms
  action: string;
  elements: any; // by the names that the form gives them
  requestSubmit(submitter?: HTMLElement | null): void;
  submit(): void;
  // of fields and buttons
  checked: boolean;
  disabled: boolean;
  files: FileList | null;
  form: Part;
  max: string;
  name: string;
  selectedIndex: number;
  type: string;
  value: string;
  add(option: HTMLOptionElement): void;
  select(): void;
  setSelectionRange(start: number, end: number): void;
  // of links, menus, times, and what scripts and styles are about
  dateTime: string;
  hash: string;
  href: string;
  media: string;
  open: boolean;
  showModal(): void;
  close(): void;
  // of drawings
  viewBox: SVGAnimatedRect;
  getScreenCTM(): DOMMatrix | null;
}

type Heard<E> = E & { readonly target: Part };
type Listener<E> = (event: Heard<E>) => unknown;

interface ParentNode {
  querySelector(selectors: string): Part | null;
  querySelectorAll(selectors: string): NodeListOf<Part>;
}
interface Element {
  closest(selectors: string): Part | null;
  cloneNode(deep?: boolean): Part;
  setAttribute(name: string, value: string | number): void;
}
interface Document {
  getElementById(id: string): Part | null;
  addEventListener<K extends keyof DocumentEventMap>(type: K, listener: Listener<DocumentEventMap[K]>, options?: boolean | AddEventListenerOptions): void;
}
interface HTMLElement {
  addEventListener<K extends keyof HTMLElementEventMap>(type: K, listener: Listener<HTMLElementEventMap[K]>, options?: boolean | AddEventListenerOptions): void;
}
interface Window {
  addEventListener<K extends keyof WindowEventMap>(type: K, listener: Listener<WindowEventMap[K]>, options?: boolean | AddEventListenerOptions): void;
}
declare function addEventListener<K extends keyof WindowEventMap>(type: K, listener: Listener<WindowEventMap[K]>, options?: boolean | AddEventListenerOptions): void;

// Django's JavaScriptCatalog, on pages in another language than that of the sources.
declare var django: { catalog: Record<string, string | string[]>; pluralidx: (count: number) => number } | undefined;
