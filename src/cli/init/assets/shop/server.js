import { Recaudo } from '@recaudo/client';
import { createShop } from './shop.js';
import { openStore } from './store.js';

const { RECAUDO_URL = 'http://127.0.0.1:8360', RECAUDO_KEY = '', PORT = '3000' } = process.env;
const url = process.env.SHOP_URL ?? `http://127.0.0.1:${PORT}`;

const recaudo = new Recaudo({ key: RECAUDO_KEY, baseUrl: RECAUDO_URL });
const store = openStore('shop.sqlite');
const { app, catchUp } = createShop({
  recaudo,
  store,
  url: () => url,
  webhookSecret: () => store.setting('secret') ?? '',
  onPaid: ({ id }) => console.log(`paid: order ${id}`),
});

await app.listen({ port: Number(PORT), host: '127.0.0.1' });
if (store.setting('secret') === undefined) {
  const { secret } = await recaudo.webhooks.create(
    { url: `${url}/webhooks/recaudo`, event_types: ['payment_request.paid'] },
    // After a crash right here, the same call returns the same secret.
    { idempotencyKey: `webhook of ${url}` },
  );
  store.keepSetting('secret', secret);
}
const look = () => catchUp().catch((error) => console.error(error.message));
await look();
setInterval(look, 60_000);
console.log(`shop at ${url}`);
