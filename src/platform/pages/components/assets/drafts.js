// Restores what was typed into a form that a sign-in or a change of language interrupted. The
// draft stays in the tab, for the same user; secrets and files are never kept.

const slot = 'recaudo-draft';
const secret = /^(?:password|file|submit|button|reset)$/;
const secretHint = /password|one-time-code|cc-/;

const user = () => document.body.dataset.user ?? null;

/** A sign-in's form contains the address of the page that it interrupted. */
const interrupts = (form) => form.querySelector('input[type=hidden][name=next]') !== null;
const isInterruption = () =>
  document.querySelector('main input[type=hidden][name=next], main a[href^="/portal/provider"]');

/** A card number is 13 to 19 digits (ISO/IEC 7812); a browser's storage is no place for one. */
const isCard = ({ name, value }) =>
  name === 'card_number' || /(?<!\d)\d(?:[\s.-]?\d){12,18}(?!\d)/.test(String(value));

const fieldsOf = (form) =>
  [...form.elements].filter(
    (field) =>
      field.name &&
      !secret.test(field.type) &&
      !secretHint.test(field.autocomplete ?? '') &&
      !isCard(field),
  );

const isTicked = ({ type }) => type === 'checkbox' || type === 'radio';

const isChanged = (field) => {
  if (isTicked(field)) return field.checked !== field.defaultChecked;
  if (field.options) return [...field.options].some((one) => one.selected !== one.defaultSelected);
  return field.value !== field.defaultValue;
};

/**
 * Returns a form's address without its key, which each new session draws. Keeps ids, because the
 * same form of another entity is another form.
 */
function actionOf({ action }) {
  const parts = new URL(action).pathname.split('/');
  const isKey = (part, at) =>
    /^[0-9a-f-]{36}$/.test(part) || (at === parts.length - 2 && parts.at(-1) === 'create');
  return parts.map((part, at) => (isKey(part, at) ? '*' : part)).join('/');
}

function keep(form, interrupted) {
  const sent = fieldsOf(form).filter((field) => !isTicked(field) || field.checked);
  const fields = sent.map(({ name, value }) => [name, value]);
  const draft = { user: user(), action: actionOf(form), fields, interrupted };
  sessionStorage.setItem(slot, JSON.stringify(draft));
}

/**
 * Fills visible fields. Values from a preview's hidden fields go into the visible fields of its
 * form.
 */
function fill(form, fields) {
  const left = [...fields];
  for (const field of fieldsOf(form)) {
    if (field.type === 'hidden') continue;
    const at = left.findIndex(
      ([name, value]) => name === field.name && (!isTicked(field) || value === field.value),
    );
    const [found] = at < 0 ? [] : left.splice(at, 1);
    if (isTicked(field)) field.checked = found !== undefined;
    else if (found) field.value = found[1];
    for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
  }
}

const postedForms = () => [...document.forms].filter(({ method }) => method === 'post');

/** Restores the draft on the page with its form. Any other page deletes it. */
export function restoreDraft() {
  const text = sessionStorage.getItem(slot);
  if (text === null) return;
  const draft = JSON.parse(text);
  if (isInterruption()) {
    sessionStorage.setItem(slot, JSON.stringify({ ...draft, interrupted: true }));
    return;
  }
  sessionStorage.removeItem(slot);
  if (!draft.interrupted || draft.user !== user()) return;
  const form = postedForms().find((one) => actionOf(one) === draft.action);
  if (form) fill(form, draft.fields);
}

/**
 * Keeps a form's draft when the form is submitted, and when the language of its page is changed.
 */
export function keepDrafts() {
  document.addEventListener('submit', ({ target }) => {
    if (target.method === 'post' && !interrupts(target)) keep(target, false);
  });
  document.addEventListener('click', (event) => {
    if (!event.target.closest?.('a.language')) return;
    const isFilled = (form) => form.querySelector('.faults') || fieldsOf(form).some(isChanged);
    const form = postedForms().find(isFilled);
    if (form) keep(form, true);
  });
}
