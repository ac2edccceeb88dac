// Requests a passkey from the browser with a form's options, and submits the result with it.

const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));

const textOf = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const named = (credentials = []) => credentials.map((one) => ({ ...one, id: bytesOf(one.id) }));

async function added(options) {
  const credential = await navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: bytesOf(options.challenge),
      user: { ...options.user, id: bytesOf(options.user.id) },
      excludeCredentials: named(options.excludeCredentials),
    },
  });
  const { response } = credential;
  return told(credential, {
    attestationObject: textOf(response.attestationObject),
    transports: response.getTransports?.() ?? [],
  });
}

async function shown(options) {
  const credential = await navigator.credentials.get({
    publicKey: {
      ...options,
      challenge: bytesOf(options.challenge),
      allowCredentials: named(options.allowCredentials),
    },
  });
  const { response } = credential;
  return told(credential, {
    authenticatorData: textOf(response.authenticatorData),
    signature: textOf(response.signature),
  });
}

const told = (credential, response) =>
  JSON.stringify({
    id: credential.id,
    rawId: textOf(credential.rawId),
    type: credential.type,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: { clientDataJSON: textOf(credential.response.clientDataJSON), ...response },
  });

const ceremonies = { add: added, show: shown };

/** Handles the page's passkey form, if it has one. */
export function askForPasskeys(root) {
  const form = root.querySelector('form[data-passkey]');
  if (!form) return;
  const fault = form.querySelector('[data-passkey-fault]');
  const { passkey, options, unable, stopped } = form.dataset;
  // This notice is for browsers without scripts.
  form.querySelector('[data-passkey-without]').hidden = true;
  if (!window.PublicKeyCredential) {
    fault.textContent = unable;
    return;
  }
  let asking = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (asking) return;
    asking = true;
    fault.textContent = '';
    try {
      form.elements.answer.value = await ceremonies[passkey](JSON.parse(options));
      form.submit();
    } catch {
      // After a cancellation or a timeout, another try is possible.
      fault.textContent = stopped;
      asking = false;
    }
  });
}
