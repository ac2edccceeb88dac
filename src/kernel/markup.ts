const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Escapes text for HTML, including double-quoted attributes. */
export const markupText = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
