// The card form of a signature: its frame returns a token for the card.
import { cardFrame } from './frame.js';

function signsWithCard(form) {
  const frame = cardFrame(form, { onBrand() {} });
  const button = form.querySelector('button[type=submit]');
  const { textContent: label } = button;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    button.disabled = true;
    button.textContent = form.dataset.busy;
    void frame.ask().then((given) => {
      if (given) return form.submit();
      button.disabled = false;
      button.textContent = label;
    });
  });
}

for (const form of document.querySelectorAll('form[data-card]')) signsWithCard(form);
