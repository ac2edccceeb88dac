// A receiver of webhooks, with nothing but Node.js (24 or later runs TypeScript as it is):
//
//   WEBHOOK_SECRET=whsec_… PORT=3000 node receiver.ts
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

export interface Delivered {
  entity_name: string;
  /** What happened, without the entity's name: paid. */
  type: string;
  /** The whole name: payment_request.paid. */
  event_type: string;
  entity_id: number | string;
  created_at: string;
  payload: Record<string, unknown>;
}

const secret = process.env.WEBHOOK_SECRET ?? '';
const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
if (key.length === 0) throw new Error('WEBHOOK_SECRET must be the secret of the webhook, whsec_…');

const toleranceSeconds = 5 * 60;
const largestBody = 1024 * 1024;

/** Whether the service sent these bytes, and just now. */
function isGenuine(headers: IncomingHttpHeaders, body: Buffer): boolean {
  const id = String(headers['webhook-id']);
  const timestamp = String(headers['webhook-timestamp']);
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= toleranceSeconds)) return false;
  const expected = createHmac('sha256', key)
    .update(`${id}.${timestamp}.`)
    .update(body) // the bytes as they came, not JSON that was parsed and written again
    .digest();
  // While a secret is being rotated there are two signatures; one that fits is enough.
  return String(headers['webhook-signature'])
    .split(' ')
    .some((one) => {
      const [version, signature = ''] = one.split(',');
      const given = Buffer.from(signature, 'base64');
      return (
        version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
      );
    });
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > largestBody) throw new Error('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

// In your application: a table whose primary key is the webhook-id. Insert the event into it, answer
// when that is committed, and let another process work on its rows in the order of their arrival.
const seen = new Set<string>();
const waiting: Delivered[] = [];

function work(): void {
  for (let event = waiting.shift(); event; event = waiting.shift()) {
    console.log(`${event.event_type} ${event.entity_id} ${JSON.stringify(event.payload)}`);
  }
}

const server = createServer(async (request, response) => {
  try {
    const body = await bodyOf(request);
    if (!isGenuine(request.headers, body)) {
      response.writeHead(401).end();
      return;
    }
    const id = String(request.headers['webhook-id']);
    if (!seen.has(id)) {
      waiting.push(JSON.parse(body.toString('utf8')) as Delivered);
      seen.add(id);
    }
    response.writeHead(204).end(); // at once: the work comes after
    setImmediate(work);
  } catch {
    response.writeHead(400).end();
  }
});

server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : '';
  console.log(`listening on http://127.0.0.1:${port}`);
});
