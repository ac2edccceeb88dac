import type { Words } from './words.ts';

/** Why accounts, keys, webhooks, people and the sandbox stay as they are. */
export const accountWords: Words = [
  [/not a valid URL/, 'No es una dirección.'],
  [/should begin with https:\/\//, 'La dirección tiene que empezar con https://.'],
  [/should hold no user name or password/, 'La dirección no puede llevar usuario ni contraseña.'],
  [/should hold no fragment/, 'La dirección no puede llevar una parte con #.'],
  [/should use port 443 or one from (\d+)/, 'El puerto tiene que ser 443, o de $1 a 65535.'],
  [
    /SANDBOX_PRIVATE_WEBHOOKS=true/,
    'La dirección tiene que ser pública. El operador de este ambiente permite redes privadas con SANDBOX_PRIVATE_WEBHOOKS=true.',
  ],
  [
    /public address, not into a private network/,
    'La dirección tiene que ser pública, no de una red privada.',
  ],
  [/^This value names the host (\S+), which cannot/, 'No se encuentra el servidor $1.'],
  [/^No webhook is registered for /, 'Ningún webhook pide ese tipo de evento.'],
  [/^The event is still being sent/, 'El evento todavía se está mandando: esperá a que termine.'],
  [/^This event type is not known|the name of an event type/, 'Ese tipo de evento no existe.'],
  [
    /name at least one event type|1 to 100 names or ids of event types/,
    'Elegí al menos un tipo de evento.',
  ],
  [
    /^The secrets of webhooks are being replaced/,
    'Los secretos se están cambiando: probá de nuevo.',
  ],
  [/at most (\d+) webhooks/, 'Hay $1 webhooks, que es lo máximo: borrá uno que no se use.'],
  [/^Too many webhooks are being tested/, 'Ahora se prueban demasiados webhooks: probá de nuevo.'],
  [
    /^Somebody else changed this meanwhile/,
    'Alguien más lo cambió mientras tanto: miralo de nuevo.',
  ],
  [/has no plan of (\d+) installments/, 'Esa tarjeta no tiene un plan de $1 cuotas.'],
  [/^The channel \S+ takes no payments here/, 'Ese medio ahora no cobra.'],
  [
    /^Too many payments of this request were refused/,
    'A este pedido le rechazaron demasiados pagos: probá por otro medio.',
  ],
  [
    /^A payment of this request is being processed/,
    'Ya se está procesando un pago de este pedido.',
  ],
  [
    /^The (?:request|amount of the request) .*changed/,
    'El pedido acaba de cambiar: miralo de nuevo.',
  ],
  [
    /at its limit now|Please repeat the call|too many wait|Repeat (?:when|after|in)/,
    'Ahora hay demasiado trabajo: probá de nuevo en un momento.',
  ],
];
