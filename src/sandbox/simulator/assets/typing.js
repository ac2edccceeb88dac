// Formats the input as cards print it; the service accepts it with or without formatting.

const groupsOf = (brand) => (brand === 'amex' ? [4, 6, 5] : [4, 4, 4, 4, 3]);

/** Groups a card's digits as printed on it. */
export function groupedNumber(digits, brand) {
  const parts = [];
  let rest = digits;
  for (const length of groupsOf(brand)) {
    if (rest !== '') parts.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return parts.join(' ');
}

/** Writes a number in groups, and keeps the caret after the same digit. */
export function groupNumber(input, brand) {
  const before = input.value.slice(0, input.selectionStart ?? input.value.length);
  if (/[^\d\s-]/.test(input.value)) return;
  const digits = input.value.replace(/\D/g, '');
  const text = groupedNumber(digits, brand);
  if (text === input.value) return;
  const count = before.replace(/\D/g, '').length;
  input.value = text;
  let at = 0;
  for (let seen = 0; seen < count; at += 1) if (/\d/.test(text[at])) seen += 1;
  if (document.activeElement === input) input.setSelectionRange(at, at);
}

/** Adds the slash of an expiry: 0830 becomes 08/30, 8 becomes 08/. */
export function expiryText(text) {
  if (/[^\d]/.test(text)) return text.replace(/^(\d{1,2})\s*[/.-]+\s*/, '$1/');
  if (/^[2-9]$/.test(text)) return `0${text}/`;
  return text.length < 2 ? text : `${text.slice(0, 2)}/${text.slice(2)}`;
}
