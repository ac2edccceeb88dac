import { expect, test } from 'vitest';
import { call, startService, paymentRequestBody } from '../../harness/service.ts';
test('probe', async () => {
  const t0 = performance.now();
  const s = await startService();
  console.log('start', performance.now() - t0);
  const show = async (m: string, p: string, o?: any) => {
    try {
    const a = await s.call(m, p, o);
    console.log(m, p.slice(0,60), a.status, a.text.slice(0, 300), JSON.stringify(Object.fromEntries(a.headers)));
    } catch (e) { console.log(m, p.slice(0,60), 'THROWN', String(e), (e as any).cause?.code); }
  };
  await show('POST', '/payment-request', { body: paymentRequestBody(s, {first_total: 99999999.99}) });
  await show('POST', '/payment-request', { body: paymentRequestBody(s, {first_due_date: '31-12-9999', second_due_date: '31-12-9999', second_total: 5000}) });
  await show('POST', '/payment-request', { body: paymentRequestBody(s, {first_due_date: '31-12-9999'}) });
  await show('GET', '/payment-request?created_at_lte=31-12-9999');
  await show('GET', '/payment-request?created_at_gte=01-01-0001');
  await show('GET', '/payment-request?after=0&page=2');
  await show('GET', '/%zz');
  await show('GET', '/nope');
  await show('PATCH', '/payment-request');
  await show('GET', '/payment-request/' + '9'.repeat(300));
  await show('GET', '/payment-request/1', { headers: { 'content-type': 'application/json' } });
  await show('POST', '/payment-request', { body: 'x'.repeat(1024*1024+1) });
  await show('POST', '/payment-request', { body: '{"payment_request":{"metadata":' + '['.repeat(200000) + ']'.repeat(200000) + '}}' });
  await show('POST', '/payment-request', { body: '{"payment_request":{"metadata":' + '{"a":'.repeat(100000) + '1' + '}'.repeat(100000) + '}}' });
  await show('POST', '/payment-request', { body: '{"payment_request":{"zzz":' + '{"a":'.repeat(100000) + '1e400' + '}'.repeat(100000) + '}}' });
  await show('POST', '/payment-request', { body: '['.repeat(200000) });
  await show('POST', '/payment-request/', { body: paymentRequestBody(s), headers: {'content-type': 'text/plain'} });
  await show('POST', '/payment-request/', { headers: {'content-type': ''} });
  await show('GET', '/status', { headers: {'x-big': 'a'.repeat(20000)} });
  await s.stop();
});
