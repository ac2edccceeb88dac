// The card form in its frame. Sends the card to the acquirer only; the embedding page receives a
// token, the brand, the first and last digits, and the holder's name.

const form = document.querySelector('form');
const { url, key, refused, away } = form.dataset;
const openers = form.dataset.opener.split(' ').filter((one) => one !== '');
const whole = form.querySelector('.whole');
const field = (name) => document.getElementById(name);
const digits = (name) => field(name).value.replace(/\D/g, '');

/** Number ranges of the brands; the first match wins. */
const ranges = [
  ['cabal', /^(60420[1-9]|6042[1-9]\d|6043\d\d|604400|589657|603522|650272|65008700)/],
  ['naranja', /^(589562|40291[78]|52757[1-7]|37779[78])/],
  ['visa', /^4/],
  ['mastercard', /^(222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720|503175|5[1-5])/],
  ['amex', /^3[47]/],
  ['diners', /^(30[0-5]|36|38)/],
  ['maestro', /^(50003[23]|501|5020|5038|56|58|5[89]|6)/],
];
/**
 * Prefixes of the regional and shop cards that the site accepts, which belong to no brand above.
 */
const regional = (form.dataset.regional ?? '').split(' ').filter((one) => one !== '');
const brandOf = (number) =>
  regional.includes(number.slice(0, 6))
    ? undefined
    : ranges.find(([, range]) => range.test(number))?.[0];

function isLuhn(number) {
  let sum = 0;
  for (const [at, digit] of [...number].reverse().entries()) {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

/** Only pages of the listed origins receive messages. */
function tell(message) {
  for (const origin of openers) parent.postMessage(message, origin);
}

const expiryOf = () => {
  const [month = '', year = ''] = field('expiry').value.split(/\D+/);
  return { month: month.padStart(2, '0'), year: year.slice(-2) };
};

function isExpiry() {
  const { month, year } = expiryOf();
  if (!/^(0[1-9]|1[0-2])$/.test(month) || !/^\d\d$/.test(year)) return false;
  return new Date(2000 + Number(year), Number(month)) > new Date();
}

const checks = {
  number: () => /^\d{13,19}$/.test(digits('number')) && isLuhn(digits('number')),
  holder: () => field('holder').value.trim() !== '',
  expiry: isExpiry,
  code: () => (brandOf(digits('number')) === 'amex' ? /^\d{4}$/ : /^\d{3,4}$/).test(digits('code')),
  document: () => /^(\d{7,8}|\d{11})$/.test(digits('document')),
};

function show(name, isGood) {
  const note = document.getElementById(`${name}-fault`);
  note.textContent = isGood ? '' : note.dataset.text;
  field(name).setAttribute('aria-invalid', String(!isGood));
}

function faulty() {
  const wrong = Object.keys(checks).filter((name) => !checks[name]());
  for (const name of Object.keys(checks)) show(name, !wrong.includes(name));
  return wrong;
}

/** Session id under which the site's fraud control saw this browser; undefined if it did not. */
let device;

/**
 * Shows this browser to the site's fraud control through its tracking images, without its scripts.
 */
async function showDevice(images) {
  try {
    const answer = await fetch(`${url}/frauddetectionconf`, {
      credentials: 'omit',
      headers: { apikey: key },
      signal: AbortSignal.timeout(10_000),
    });
    const { org_id: org, merchant_id: merchant } = await answer.json();
    if (!org || !merchant) return;
    device = crypto.randomUUID();
    for (const part of ['1', '2']) {
      const query = new URLSearchParams({ org_id: org, session_id: merchant + device, m: part });
      new Image().src = `${images}?${query}`;
    }
  } catch {
    // A charge does not need a device session.
  }
}
if (form.dataset.device) void showDevice(form.dataset.device);

/** Sends the card to the acquirer. Returns its token, or the message to show. */
async function tokenise() {
  const { month, year } = expiryOf();
  const document_ = digits('document');
  try {
    const answer = await fetch(`${url}/tokens`, {
      method: 'POST',
      credentials: 'omit',
      headers: { apikey: key, 'X-Consumer-Username': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        card_number: digits('number'),
        card_expiration_month: month,
        card_expiration_year: year,
        security_code: digits('code'),
        card_holder_name: field('holder').value.trim(),
        card_holder_identification: {
          type: document_.length === 11 ? 'cuit' : 'dni',
          number: document_,
        },
        ...(device && { fraud_detection: { device_unique_identifier: device } }),
      }),
      signal: AbortSignal.timeout(30_000),
    });
    const body = await answer.json();
    if (answer.status !== 201 || typeof body.id !== 'string') return { sentence: refused };
    await tellBrowser(body.id);
    return { token: body.id, bin: body.bin, lastFour: body.last_four_digits };
  } catch {
    return { sentence: away };
  }
}

/** Sends the browser data for 3-D Secure to the connector, with the token. */
async function tellBrowser(token) {
  const { accept } = form.dataset;
  if (!accept) return;
  const browser = {
    accept_header: accept,
    language: navigator.language,
    java_enabled: false,
    color_depth: screen.colorDepth,
    screen_height: screen.height,
    screen_width: screen.width,
    time_zone_offset: new Date().getTimezoneOffset(),
  };
  await fetch('browser', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, browser }),
    signal: AbortSignal.timeout(10_000),
  });
}

let busy = false;
async function submit() {
  if (busy) return;
  busy = true;
  whole.textContent = '';
  const wrong = faulty();
  const made = wrong.length > 0 ? null : await tokenise();
  busy = false;
  if (made?.token) {
    const number = digits('number');
    tell({
      recaudo: 'token',
      token: made.token,
      brand: brandOf(number),
      bin: made.bin ?? number.slice(0, 6),
      last_four: made.lastFour ?? number.slice(-4),
      holder_name: field('holder').value.trim(),
    });
    // A token is valid for one charge, so a retry needs the code again.
    field('code').value = '';
    return;
  }
  if (made) whole.textContent = made.sentence;
  if (wrong.length > 0) field(wrong[0]).focus();
  tell({ recaudo: 'faults' });
}

let shown;
function followBrand() {
  const number = digits('number').slice(0, 19);
  const groups = brandOf(number) === 'amex' ? /^(\d{4})(\d{0,6})(\d{0,5}).*/ : null;
  const apart = groups && number.length > 4 ? number.replace(groups, '$1 $2 $3') : null;
  const atEnd = field('number').selectionStart === field('number').value.length;
  if (atEnd) field('number').value = (apart ?? number.replace(/(\d{4})(?=\d)/g, '$1 ')).trim();
  const bin = number.length >= 6 ? number.slice(0, 6) : undefined;
  const brand = bin && brandOf(number);
  if (`${brand} ${bin}` === shown) return;
  shown = `${brand} ${bin}`;
  tell({ recaudo: 'brand', ...(brand && { brand }), ...(bin && { bin }) });
}

function followExpiry({ inputType }) {
  const input = field('expiry');
  if (inputType?.startsWith('delete')) return;
  if (/^\d\d$/.test(input.value)) input.value += '/';
  else if (/^\d{4}$/.test(input.value)) input.value = input.value.replace(/^(..)/, '$1/');
}

field('number').addEventListener('input', followBrand);
field('expiry').addEventListener('input', followExpiry);
for (const name of Object.keys(checks)) {
  field(name).addEventListener('change', () => show(name, checks[name]()));
}
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void submit();
});
form.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') void submit();
});
const tellHeight = () =>
  tell({ recaudo: 'height', px: Math.ceil(form.getBoundingClientRect().height) + 6 });
addEventListener('message', (event) => {
  const isOurs = event.source === parent && openers.includes(event.origin);
  if (isOurs && event.data?.recaudo === 'submit') void submit();
  if (isOurs && event.data?.recaudo === 'hello') tellHeight();
});
new ResizeObserver(tellHeight).observe(form);
// The observer does not report a hidden frame, which is not rendered.
tellHeight();
tell({ recaudo: 'ready' });
