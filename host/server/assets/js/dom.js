// Elements from data. The only place that makes nodes: text is always a text node with hidden characters shown
// as escapes, attributes that run code or load something cannot be set, and a link leads inside or to http(s).

import { ago, dateTime, dayAndTime, daysAgo, instant, isDay, visible, visibleParts } from "./text.js";

const SVG = "http://www.w3.org/2000/svg";
const FORBIDDEN = /^(on|style$|src|action$|formaction$|data$|background$|ping$|xlink)/i;
const PROPERTIES = new Set([
  "value",
  "checked",
  "disabled",
  "open",
  "selected",
  "hidden",
  "tabIndex",
  "htmlFor",
  "indeterminate",
]);

/**
 * An element. `props`: attributes; `class`; `on: {event: handler}`; `data: {}`; `vars: {"--x": value}`.
 * Children: nodes, text, arrays of them; null, undefined and false are nothing.
 */
export function h(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

export function svg(tag, props, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

/** Text with its hidden characters in view. */
function textNodes(value) {
  return visibleParts(value).map((part) => {
    if (!part.hidden) return document.createTextNode(part.text);
    const mark = document.createElement("span");
    mark.className = "escape";
    mark.title = "a character that does not show itself";
    mark.textContent = part.text;
    return mark;
  });
}

function append(parent, ...children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    if (child instanceof Node) parent.append(child);
    else parent.append(...textNodes(child));
  }
  return parent;
}

export function replace(parent, ...children) {
  parent.replaceChildren();
  return append(parent, ...children);
}

/** The address if it is one of http or https, without a name or password in it; undefined if not. */
export function webAddress(value) {
  try {
    const url = new URL(String(value).trim());
    const isWeb = url.protocol === "https:" || url.protocol === "http:";
    return isWeb && !url.username && !url.password ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/** A moment: how long ago, the exact time on hover. */
export function time(value) {
  const ms = instant(value);
  if (ms !== undefined && isDay(value)) return h("time", { datetime: value, title: value }, daysAgo(value));
  if (ms === undefined) return h("span", { class: "muted" }, "—");
  return h("time", { datetime: new Date(ms).toISOString(), title: dateTime(ms) }, ago(ms));
}

/** A moment of a conversation: the day and the time, as those around it differ by minutes. */
export function moment(ms) {
  return h("time", { datetime: new Date(ms).toISOString(), title: dateTime(ms) }, dayAndTime(ms));
}

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) {
      if (PROPERTIES.has(name) && value === false) element[name] = false;
      continue;
    }
    if (name === "on") {
      for (const [event, handler] of Object.entries(value)) element.addEventListener(event, handler);
    } else if (name === "data") {
      for (const [key, item] of Object.entries(value)) if (item !== undefined) element.dataset[key] = item;
    } else if (name === "vars") {
      for (const [key, item] of Object.entries(value)) element.style.setProperty(key, item);
    } else if (name === "class") {
      element.setAttribute("class", value);
    } else if (PROPERTIES.has(name)) {
      element[name] = value;
    } else if (name === "href") {
      const target = String(value).startsWith("#") ? value : webAddress(value);
      if (target) element.setAttribute("href", target);
    } else if (FORBIDDEN.test(name)) {
      throw new Error(`attribute ${name} is not set from here`);
    } else {
      element.setAttribute(name, value === true ? "" : visible(value));
    }
  }
  return append(element, children);
}
