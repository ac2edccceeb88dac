// Frames of payment processors. Their messages count only from their own origin.

/** Maximum wait for a frame's token. */
const longestTokenMs = 30_000;
const leastHeight = 40;

/** Calls `heed` with each message that comes from the frame's window and origin. */
function hears(frame, origin, heed) {
  const listen = ({ source, origin: from, data }) => {
    if (!frame.isConnected) return removeEventListener('message', listen);
    if (source !== frame.contentWindow || from !== origin) return;
    if (typeof data === 'object' && data !== null && typeof data.recaudo === 'string') heed(data);
  };
  addEventListener('message', listen);
}

function fits(frame, px) {
  if (Number.isInteger(px) && px >= leastHeight && px <= 2000) frame.style.height = `${px}px`;
}

/**
 * Connects a card form to its frame. `ask` requests a token. It resolves to true once the token is
 * in the form's hidden inputs, and to false after a fault or a timeout. Returns null if the form
 * has no frame.
 */
export function cardFrame(form, { onBrand }) {
  const frame = form.querySelector('iframe[data-card-frame]');
  if (!frame) return null;
  const origin = frame.dataset.cardFrame;
  const late = form.querySelector('[data-frame-late]');
  let answered = () => {};
  const submit = () => frame.contentWindow.postMessage({ recaudo: 'submit' }, origin);
  /** False while the frame's script may not run yet, and so may miss a submit message. */
  let isHeard = false;
  let isAsked = false;

  const handOver = ({ token, brand, bin, last_four: lastFour, holder_name: name }) => {
    const told = { token, brand, bin, last_four: lastFour, card_holder_name: name };
    for (const input of form.querySelectorAll('[data-handed]')) {
      const value = told[input.dataset.handed];
      input.value = typeof value === 'string' ? value : '';
    }
  };

  hears(frame, origin, (data) => {
    const isFirst = !isHeard;
    isHeard = true;
    if (data.recaudo === 'height') fits(frame, data.px);
    if (data.recaudo === 'brand') onBrand(typeof data.brand === 'string' ? data.brand : null);
    if (data.recaudo === 'faults') return answered(false);
    if (data.recaudo === 'token' && typeof data.token === 'string') {
      handOver(data);
      return answered(true);
    }
    if (isFirst && isAsked) submit();
  });
  // Asks the frame to repeat messages sent before this listener existed. The message holds no
  // secret, and a frame that is not loaded yet has another origin.
  frame.contentWindow.postMessage({ recaudo: 'hello' }, '*');

  return {
    ask: () =>
      // A token handed over before stays valid unless another card is typed.
      frame.closest('details.other-card:not([open])')
        ? Promise.resolve(true)
        : new Promise((resolve) => {
            late.hidden = true;
            const timer = setTimeout(() => {
              late.hidden = false;
              resolve(false);
            }, longestTokenMs);
            answered = (given) => {
              clearTimeout(timer);
              isAsked = false;
              resolve(given);
            };
            isAsked = true;
            submit();
          }),
  };
}

/** Runs a step in a frame, such as 3-D Secure, and opens the outcome when the step ends. */
export function stepFrame(frame) {
  hears(frame, frame.dataset.step, (data) => {
    if (data.recaudo === 'height') fits(frame, data.px);
    if (data.recaudo === 'finished') location.assign(frame.dataset.done);
  });
}
