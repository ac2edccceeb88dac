import type { Answer } from '../../protocol/http.ts';
import { bankAnswer, endpointCreated, notice, refuse } from './answers.ts';
import type { Book, Row, Webhook } from './book.ts';
import type { OrderBody } from './debins.ts';

/** The bank's timeout for calls to a client's address. */
const answersWithinMs = 3_000;

const post = async (url: string, body: object): Promise<number | string> => {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(answersWithinMs),
    });
    await answer.arrayBuffer();
    return answer.status;
  } catch (error) {
    return String(error);
  }
};

function webhookIn(sent: OrderBody): { webhook: Webhook } | { fault: Answer } {
  const { url, code, description = '', enabled, events } = sent;
  if (typeof url !== 'string' || url === '') return { fault: refuse('EP001', 'Falta url') };
  if (!URL.canParse(url)) return { fault: refuse('EP002', 'url inválida') };
  if (typeof enabled !== 'boolean') return { fault: refuse('EP004', 'Falta enabled') };
  if (typeof code !== 'string' || code === '') return { fault: refuse('EP005', 'Falta code') };
  if (!Array.isArray(events) || events.length === 0)
    return { fault: refuse('EP006', 'Falta events') };
  return { webhook: { url, code, description: String(description), enabled, events } };
}

/** Webhook addresses: the bank calls each enabled one before it stores it. */
export function createWebhooks(book: Book, account: string) {
  async function register(sent: OrderBody): Promise<Answer> {
    const read = webhookIn(sent);
    if ('fault' in read) return read.fault;
    const { webhook } = read;
    const { events, ...told } = webhook;
    const answered = webhook.enabled ? await post(webhook.url, endpointCreated(webhook)) : 200;
    if (answered !== 200) {
      const why = `HTTP operation failed invoking ${webhook.url} with statusCode: ${answered}`;
      const failed = { error_description: why, connection: false, saved: false };
      return bankAnswer(409, { ...told, events_list: events, ...failed });
    }
    await book.saveWebhook(webhook);
    return bankAnswer(200, { ...told, events_list: events, connection: true, saved: true });
  }

  return {
    register,
    tell: async (type: string, row: Row): Promise<void> => {
      for (const { url, enabled, events } of book.webhooks()) {
        if (!enabled || !(events.includes('ALL') || events.includes(type))) continue;
        await post(url, notice(type, row, account));
      }
    },
  };
}
