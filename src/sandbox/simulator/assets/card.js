// The card fields. Input goes to the simulator only; the embedding page gets a token, the brand,
// the first and last digits, and the holder's name.
import { brandOf } from './brand.js';
import { expiryText, groupNumber } from './typing.js';

const form = document.querySelector('form');
const { opener, tokens, away } = form.dataset;
const whole = form.querySelector('[data-whole]');
const field = (name) => form.elements[name];
const names = ['number', 'holder', 'expiry', 'code'];

/** Only the service's own pages receive messages. */
const tell = (message) => parent.postMessage(message, opener);

function show(faults) {
  for (const name of names) {
    const wrong = faults.includes(name);
    const note = document.getElementById(`${name}-fault`);
    note.textContent = wrong ? note.dataset.text : '';
    field(name).setAttribute('aria-invalid', String(wrong));
  }
  if (faults.length > 0) field(faults[0]).focus();
}

/** Creates a token for the card; returns the result to pass on, or null. */
async function tokenise() {
  whole.textContent = '';
  try {
    const answer = await fetch(tokens, {
      method: 'POST',
      body: new URLSearchParams(new FormData(form)),
      signal: AbortSignal.timeout(20_000),
    });
    const body = await answer.json();
    if (answer.status === 201) return body;
    show(body.faults);
  } catch {
    whole.textContent = away;
  }
  return null;
}

let busy = false;
async function submit() {
  if (busy) return;
  busy = true;
  const made = await tokenise();
  busy = false;
  if (!made) return tell({ recaudo: 'faults' });
  show([]);
  tell({ recaudo: 'token', ...made });
  // A token is valid for one charge, so the payer must retype the code to retry.
  field('code').value = '';
}

// With fewer digits, the brand may still change.
const decidingDigits = 8;

let shown;
function followNumber() {
  const digits = field('number').value.replace(/\D/g, '');
  const brand = digits.length < decidingDigits ? null : brandOf(digits);
  groupNumber(field('number'), brand ?? brandOf(digits));
  if (brand === shown) return;
  shown = brand;
  tell({ recaudo: 'brand', ...(brand && { brand, bin: digits.slice(0, 6) }) });
}

if (parent !== window) {
  field('number').addEventListener('input', followNumber);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit();
  });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') void submit();
  });
  const tellHeight = () =>
    tell({ recaudo: 'height', px: Math.ceil(form.getBoundingClientRect().height) });
  addEventListener('message', (event) => {
    const isOurs = event.source === parent && event.origin === opener;
    if (isOurs && event.data?.recaudo === 'submit') void submit();
    if (isOurs && event.data?.recaudo === 'hello') tellHeight();
  });
  new ResizeObserver(tellHeight).observe(form);
  // A hidden frame is not rendered, and gets no size until it is visible.
  tellHeight();
  tell({ recaudo: 'ready' });
}
field('expiry').addEventListener('input', ({ inputType = '' }) => {
  if (!inputType.startsWith('delete')) field('expiry').value = expiryText(field('expiry').value);
});
