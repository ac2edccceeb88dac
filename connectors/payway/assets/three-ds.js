// A 3-D Secure step: shows the issuer's page in a frame, and passes its result to the acquirer.

const main = document.querySelector('main');
const frame = document.querySelector('iframe');
const openers = main.dataset.opener.split(' ').filter((one) => one !== '');
const asked = main.querySelector('[role=status]');
let waiting;
let step;

const tell = (message) => {
  for (const origin of openers) parent.postMessage(message, origin);
};

function run(next) {
  step = next;
  frame.hidden = !next.visible;
  asked.hidden = next.visible;
  const form = document.createElement('form');
  form.method = next.method;
  form.action = next.url;
  form.target = frame.name;
  for (const [name, value] of next.fields) {
    const input = document.createElement('input');
    input.type = 'hidden';
    input.name = name;
    input.value = value;
    form.append(input);
  }
  document.body.append(form);
  form.submit();
  form.remove();
  tell({ recaudo: 'height', px: next.visible ? 400 : 60 });
  // A hidden step without a result continues after a timeout, as the scheme requires.
  clearTimeout(waiting);
  if (!next.visible) waiting = setTimeout(() => goOn('U'), next.timeout * 1000);
}

async function goOn(value) {
  if (!step) return;
  step = null;
  clearTimeout(waiting);
  frame.hidden = true;
  asked.hidden = false;
  try {
    const answer = await fetch(`3ds/continue${location.search}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ instruction_value: value }),
    });
    const next = await answer.json();
    if (next.step) return run(next.step);
  } catch {
    // The page finishes anyway: the service inquires about the outcome.
  }
  tell({ recaudo: 'finished' });
}

addEventListener('message', (event) => {
  if (!step || event.source !== frame.contentWindow) return;
  if (event.origin !== new URL(step.url).origin) return;
  const value = event.data?.instruction_value;
  if (typeof value === 'string') void goOn(value);
});
run(JSON.parse(main.dataset.step));
