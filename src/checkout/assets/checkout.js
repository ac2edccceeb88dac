// What the checkout does more when scripts run. Everything works without it.

/** First and last prefix of each brand's ranges, as the service reads them; first match counts. */
const ranges = {
  cabal: ['604201-604400', '589657', '603522', '650272', '65008700'],
  naranja: ['589562', '402917-402918', '527571-527572', '377798-377799'],
  visa: ['4'],
  mastercard: ['222100-272099', '503175', '510000-559999'],
  amex: ['34', '37'],
  diners: ['300-305', '36', '38'],
  maestro: [
    '500032-500033',
    '501',
    '5020',
    '5038',
    '561200-561356',
    '581700-581800',
    '589300-589399',
    '589998-599999',
    '600297-600382',
    '601232-601276',
    '6304',
    '639000-639099',
    '670000-679999',
  ],
};

const names = {
  cabal: 'Cabal',
  naranja: 'Naranja',
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  diners: 'Diners Club',
  maestro: 'Maestro',
};

const holds = (range, digits) => {
  const [first, last = first] = range.split('-');
  const prefix = digits.slice(0, first.length);
  return prefix.length === first.length && prefix >= first && prefix <= last;
};

/** Brand of a card number, or of its first eight digits; null when no range has it. */
export function brandOf(digits) {
  const found = Object.entries(ranges).find(([, list]) => list.some((one) => holds(one, digits)));
  return found ? found[0] : null;
}

// Fewer digits than these could still turn out to be of another brand.
const decidingDigits = 8;

/** Shows the brand while the number is typed, and offers only that brand's installments. */
function followBrand(form) {
  const number = form.querySelector('[name=card_number]');
  const note = form.querySelector('[data-brand-note]');
  if (!number || !note) return;
  const select = form.querySelector('[name=installments]');
  const groups = select ? [...select.querySelectorAll('optgroup')] : [];
  let shown = null;

  const follow = () => {
    const digits = number.value.replace(/\D/g, '');
    const brand = digits.length < decidingDigits ? null : brandOf(digits);
    if (brand === shown) return;
    shown = brand;
    const offered = groups.filter((group) => !brand || (group.dataset.brand ?? brand) === brand);
    const refused = brand && groups.length > 0 && offered.length === 0;
    const label = refused ? note.dataset.refused : note.dataset.label;
    note.textContent = brand ? `${label}: ${names[brand]}` : '';
    // Hidden option groups stay visible in some browsers, so they leave the list.
    for (const group of groups) group.remove();
    select?.append(...(refused ? groups : offered));
    if (select && select.selectedIndex < 0) select.selectedIndex = 0;
  };
  number.addEventListener('input', follow);
  follow();
}

/** Narrow screens cut the chosen option short: it is repeated in full. */
function showChosen(form) {
  const select = form.querySelector('[name=installments]');
  const note = form.querySelector('[data-chosen]');
  if (!select || !note) return;
  const show = () => {
    note.textContent = select.value === '' ? '' : select.selectedOptions[0].textContent;
  };
  form.addEventListener('input', show);
  show();
}

/** Second presses of the button do nothing while the first one is on its way. */
function sendOnce(form) {
  const button = form.querySelector('button[type=submit]');
  const label = button.textContent;
  form.addEventListener('submit', () => {
    button.disabled = true;
    button.textContent = form.dataset.busy;
  });
  // A page that comes back from the browser's history can be sent again.
  addEventListener('pageshow', (event) => {
    if (!event.persisted) return;
    button.disabled = false;
    button.textContent = label;
  });
}

function copies(button) {
  if (!navigator.clipboard) return;
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = button.dataset.done;
    button.addEventListener('blur', () => (button.textContent = label), { once: true });
  });
}

/** A link to a field inside a closed section opens the section first. */
function opensSection(link) {
  link.addEventListener('click', () => {
    const field = document.getElementById(link.hash.slice(1));
    field?.closest('details')?.setAttribute('open', '');
    field?.focus();
  });
}

for (const form of document.querySelectorAll('form[data-once]')) {
  sendOnce(form);
  followBrand(form);
  showChosen(form);
}
for (const button of document.querySelectorAll('[data-copy]')) copies(button);
for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => print());
}
for (const link of document.querySelectorAll('.faults a')) opensSection(link);
document.querySelector('[data-focus]')?.focus();
