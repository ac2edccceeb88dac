const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** A text that HTML shows as it is, also within an attribute in double quotes. */
export const markupText = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
