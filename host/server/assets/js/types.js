// The types of memory and the kinds of learnings. A test compares this with the registry, which has the last word.

export const TYPES = ["decision", "learning", "summary"];
export const KINDS = ["insight", "procedure", "friction", "pitfall", "preference", "convention", "context"];
