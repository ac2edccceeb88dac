import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { freePort } from '../../src/platform/http/free-port.ts';
import { runProgram, testWith } from '../harness/programs.ts';
import { startService, type TestService, testKey } from '../harness/service.ts';
import {
  cut,
  hangUp,
  html,
  json,
  refused,
  type Scripted,
  type Step,
  scripted,
} from './typescript/scripted.ts';

const folder = path.join(packageRoot(), 'clients/php');
const key = 'rk_live_0123456789abcdefSECRET';
const secret = 'whsec_6Gr1Wk3R7BYcBLLD4yWQk0mgAq4KZcQYdEObXgG3zVY=';
const testPhp = testWith('php');

const fields = `['description' => 'Cuota', 'first_due_date' => '10-12-2030',
  'first_total' => '1430.50', 'payer_name' => 'Ana']`;

/** Defines two clients, and `caught`, which returns the class and members of a thrown error. */
const prelude = `
require 'recaudo.php';
function caught(callable $call): array {
  try { $call(); } catch (Throwable $e) {
    $name = substr(strrchr(get_class($e), '\\\\') ?: get_class($e), 1);
    return ['class' => $name] + get_object_vars($e) + ['message' => $e->getMessage()];
  }
  return ['class' => null];
}
$recaudo = new Recaudo\\Recaudo(getenv('RECAUDO_KEY'), getenv('RECAUDO_URL'));
$once = new Recaudo\\Recaudo(getenv('RECAUDO_KEY'), getenv('RECAUDO_URL'), retries: 0);
`;

/** Runs a piece of PHP and returns its value. */
async function php(code: string, origin: string, withKey = key): Promise<unknown> {
  const whole = `${prelude} echo json_encode((function () use ($recaudo, $once) { ${code} })());`;
  const args = ['-d', 'zend.exception_ignore_args=0', '-d', 'error_reporting=-1', '-r', whole];
  const env = { RECAUDO_URL: origin, RECAUDO_KEY: withKey, no_proxy: '127.0.0.1' };
  const { status, output } = await runProgram('php', args, { cwd: folder, env });
  expect(status, output).toBe(0);
  return JSON.parse(output);
}

let server: Scripted | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function against(steps: Step[], code: string): Promise<unknown> {
  await server?.close();
  server = await scripted(...steps);
  return await php(code, server.origin);
}

describe('retries of the PHP client', () => {
  testPhp('repeats a call under one Idempotency-Key, whatever fails', async () => {
    const steps = [hangUp, html(502), refused(503, 'outcome_unknown'), json(201, { id: 1 })];
    const code = `return $recaudo->paymentRequests->create(${fields});`;
    expect(await against(steps, code)).toEqual({ id: 1 });
    const keys = server?.heard.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(1);
    expect(server?.heard[3]?.body).toContain('"first_total":"1430.50"');
  });

  testPhp('repeats a read after a malformed answer or one of another shape', async () => {
    const broken: Step = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"id":');
    };
    const steps = [broken, json(200, null), json(200, [1]), json(200, { id: 'A1B2C3D4' })];
    expect(await against(steps, 'return $recaudo->account();')).toEqual({ id: 'A1B2C3D4' });
    expect(server?.heard).toHaveLength(4);
  });

  testPhp('repeats a call without a key only if the service did nothing', async () => {
    const code = `return caught(fn () => $recaudo->webhooks->delete(1));`;
    expect(await against([refused(503, 'over_capacity'), json(200, {})], code)).toEqual({
      class: null,
    });
    for (const step of [refused(503, 'outcome_unknown'), hangUp, html(503), json(200, [1])]) {
      expect(await against([step, json(200, {})], code)).not.toEqual({ class: null });
      expect(server?.heard).toHaveLength(1);
    }
  });

  testPhp('stops retrying at its deadline, and after a final refusal', async () => {
    const limited = refused(429, 'too_many_calls', { 'retry-after': '60' });
    expect(
      await against([limited], 'return caught(fn () => $recaudo->account(deadline: 5.0));'),
    ).toMatchObject({ class: 'RefusedError', retryAfter: 60, errorCode: 'too_many_calls' });
    expect(server?.heard).toHaveLength(1);
    const silence = 'return caught(fn () => $recaudo->account(deadline: 0.2));';
    expect(await against([() => {}], silence)).toMatchObject({ class: 'DeadlineError' });
  });
});

describe('errors of the PHP client', () => {
  testPhp('reports faulty fields by their paths, and skips malformed ones', async () => {
    const amount = { errors: ['Too much.'], codes: ['field.too_large'] };
    const items = { children: { '0': { children: { amount } } } };
    const body = { code: 400, message: 'm', errors: [], error_code: 'invalid_fields' };
    const code = `return caught(fn () => $recaudo->paymentRequests->create(${fields}));`;
    expect(await against([json(400, { ...body, children: { items } })], code)).toMatchObject({
      class: 'RefusedError',
      fields: [{ path: 'items.0.amount', message: 'Too much.', code: 'field.too_large' }],
      call: { method: 'POST', path: '/payment-request', attempts: 1 },
    });
    for (const children of [null, { items: null }, { items: { errors: 'x' } }]) {
      expect(await against([json(400, { ...body, children })], code)).toMatchObject({
        class: 'RefusedError',
        fields: [],
      });
    }
  });

  testPhp('reports a proxy’s pages, truncated answers and redirects', async () => {
    const code = 'return caught(fn () => $once->account());';
    for (const step of [html(200), html(404), json(400, { error: 'x' }), json(301, {})]) {
      expect(await against([step], code)).toMatchObject({ class: 'UnexpectedAnswerError' });
    }
    expect(await against([cut('{"id":"A1B2C3D4"}')], code)).toMatchObject({
      class: 'ConnectionFailedError',
      nothingSent: false,
    });
  });

  testPhp('refuses an impossible key, address, id or option before any call', async () => {
    const wrong = `$made = [];
      foreach ([" ${key}", "${key}\\n", '', false, 'clavé'] as $one) {
        $made[] = caught(fn () => new Recaudo\\Recaudo($one, 'https://pay.example.com'));
      }
      foreach (['pay.example.com', 'ftp://x', 'https://a:b@x', 'https://x/#a', 'https://x:99999', 'https://x y'] as $one) {
        $made[] = caught(fn () => new Recaudo\\Recaudo('rk_a', $one));
      }
      foreach (['', '.', '..'] as $one) $made[] = caught(fn () => $recaudo->qr->refund($one));
      foreach (['', 'order €', "order\\n66", str_repeat('x', 256)] as $one) {
        $made[] = caught(fn () => $recaudo->paymentRequests->create([], idempotencyKey: $one));
      }
      $made[] = caught(fn () => $recaudo->account(deadlin: 5));
      $made[] = caught(fn () => $recaudo->paymentRequests->create(['description' => "\\xff"]));
      return $made;`;
    const made = (await against([json(200, {})], wrong)) as { class: string }[];
    expect(made.map((one) => one.class)).toEqual(made.map(() => 'ConfigurationError'));
    expect(JSON.stringify(made)).not.toContain('SECRET');
    expect(server?.heard).toEqual([]);
    await php(`return $recaudo->qr->get('../account?a=ñ');`, server?.origin ?? '');
    expect(server?.heard[0]?.url).toBe('/status/..%2Faccount%3Fa%3D%C3%B1');
  });

  testPhp('hides the key and cards, in traces and dumps too', async () => {
    const echo: Step = (response, { headers, body }) =>
      html(400, `<p>${headers.authorization}</p>`)(response, {
        headers,
        body,
        method: '',
        url: '',
      });
    const code = `
      $card = ['card_number' => '4509953566233704'];
      try { $recaudo->cardAdhesions->create($card); } catch (Throwable $e) {}
      ob_start();
      var_dump($e); print_r($e); echo $e, $e->excerpt;
      var_dump($recaudo); print_r($recaudo); var_export($recaudo);
      echo json_encode($recaudo), json_encode((array) $recaudo);
      return ob_get_clean();`;
    const shown = (await against([echo], code)) as string;
    expect(shown).toContain('UnexpectedAnswerError');
    expect(shown).not.toContain('SECRET');
    expect(shown).not.toContain('4509953566233704');
    expect(server?.heard[0]?.body).toContain('4509953566233704');
  });
});

describe('lists of the PHP client', () => {
  const page = json(200, { data: [{ id: 1 }, { id: 2 }] });

  testPhp('reads no further pages after the loop ends', async () => {
    const code = `foreach ($recaudo->paymentRequests->list(limit: 2, state: 'paid', deadline: 5.0) as $one) break;
      return $one;`;
    expect(await against([page], code)).toEqual({ id: 1 });
    expect(server?.heard.map(({ url }) => url)).toEqual([
      '/payment-request?limit=2&state=paid&after=0',
    ]);
  });

  testPhp('throws if a list repeats the same page, or returns no page', async () => {
    const code = `return caught(fn () => iterator_to_array($once->paymentRequests->list(limit: 2)));`;
    expect(await against([page], code)).toMatchObject({
      class: 'RecaudoError',
      message: '/payment-request does not go on after 2.',
    });
    for (const body of [{}, { data: null }, { data: { a: 1 } }, { data: [1, 2] }]) {
      expect(await against([json(200, body)], code)).toMatchObject({
        class: 'UnexpectedAnswerError',
      });
    }
  });

  testPhp('ignores the errors of a listener', async () => {
    const code = `$told = [];
      $listening = new Recaudo\\Recaudo('rk_a', getenv('RECAUDO_URL'), onAttempt: function ($one) use (&$told) {
        $told[] = [$one['path'], $one['status'], $one['attempts']];
        throw new Exception('x');
      });
      return [$listening->account(), $told];`;
    expect(await against([html(502), json(200, { id: 'A' })], code)).toEqual([
      { id: 'A' },
      [
        ['/account', 502, 1],
        ['/account', 200, 2],
      ],
    ]);
  });
});

describe('reports of the PHP client', () => {
  const csv =
    (text: string, length = text.length): Step =>
    (response) => {
      response.writeHead(200, { 'content-type': 'text/csv', 'content-length': length });
      response.end(text);
    };

  testPhp('creates a report’s file only once it is complete', async () => {
    const file = path.join(await mkdtemp(path.join(tmpdir(), 'recaudo-php-')), 'day.csv');
    const save = `$done = caught(fn () => $once->reports->csv('collection', '24-11-2026', '${file}'));
      return [$done['class'], glob(dirname('${file}') . '/*')];`;
    const cutShort: Step = (response) => {
      response.writeHead(200, { 'content-type': 'text/csv', 'content-length': 80 });
      response.write('request_id,amount_paid\n7,', () => response.destroy());
    };
    expect(await against([cutShort], save)).toEqual(['ConnectionFailedError', []]);
    expect(await against([html(200)], save)).toEqual(['UnexpectedAnswerError', []]);
    // The file must contain nothing of the longer attempt that failed first.
    const again = [cutShort, csv('request_id\n7\n')];
    expect(await against(again, save.replace('$once', '$recaudo'))).toEqual([null, [file]]);
    expect(await readFile(file, 'utf8')).toBe('request_id\n7\n');
    await rm(path.dirname(file), { recursive: true });
  });

  testPhp('reads reports in little memory, however large', async () => {
    const line = `${'x'.repeat(99)},1\n`;
    const code = `$rows = 0;
      foreach ($recaudo->reports->rows('collection', '24-11-2026') as $row) $rows += (int) $row['b'];
      return [$rows, memory_get_peak_usage() < 8e6];`;
    expect(await against([csv(`a,b\n${line.repeat(150_000)}`)], code)).toEqual([150_000, true]);
  });
});

testPhp('verifies deliveries in PHP, and refuses others with a reason', async () => {
  const body = '{"event_type":"payment_request.paid","payload":{"amount":1430.5}}';
  const sign = (text: string) => new Webhook(secret).sign('evt_1', new Date(1_000_000), text);
  const code = (delivery: string, rest: string) => `
    $headers = ['Webhook-Id' => 'evt_1', 'webhook-timestamp' => '1000', 'webhook-signature' => ['${sign(body)}']];
    $server = ['HTTP_WEBHOOK_ID' => 'evt_1', 'HTTP_WEBHOOK_TIMESTAMP' => '1000', 'HTTP_WEBHOOK_SIGNATURE' => 'v1,AAAA ${sign(body)}'];
    $text = array_merge($headers, ['webhook-signature' => '${sign('no')}']);
    $of = fn (...$args) => caught(fn () => Recaudo\\verifyWebhook(...$args))['reason'] ?? null;
    $body = '${delivery}'; $secret = '${secret}';
    return [${rest}];`;
  expect(
    await php(
      code(
        body,
        `Recaudo\\verifyWebhook($headers, $body, $secret, now: 1300)['payload']['amount'],
         $recaudo->webhooks->verify($server, $body, ['whsec_AAAA', $secret], now: 700)['event_type'],
         $of($headers, '{}', $secret, now: 1000), $of($headers, $body, 'whsec_AAAA', now: 1000),
         $of($headers, $body, $secret, now: 1301), $of($headers, $body, $secret, now: 699),
         $of([], $body, $secret), $of($headers, [], $secret), $of($headers, $body, 'whsec_%', now: 1000),
         $of(array_merge($headers, ['webhook-timestamp' => 'now']), $body, $secret),
         $of($text, 'no', $secret, now: 1000)`,
      ),
      'http://127.0.0.1:1',
    ),
  ).toEqual([
    ...[1430.5, 'payment_request.paid', 'signature_wrong', 'signature_wrong', 'too_old', 'too_new'],
    ...['header_missing', 'body_not_raw', 'secret_malformed', 'timestamp_malformed'],
    'body_not_json',
  ]);
});

describe('the PHP client against the service', () => {
  let service: TestService;
  let scratch: string;
  beforeAll(async () => {
    service = await startService();
    scratch = await mkdtemp(path.join(tmpdir(), 'recaudo-php-'));
  });
  afterAll(async () => {
    await service.stop();
    await rm(scratch, { recursive: true });
  });

  const here = (code: string) => php(code, service.origin, testKey);

  testPhp('creates, pays, refunds, lists and reports to the cent', async () => {
    const found = await here(`
      $fields = ['external_reference' => 'php 1'] + ${fields};
      $made = $recaudo->paymentRequests->create($fields, idempotencyKey: 'php ñ 1');
      $again = $recaudo->paymentRequests->create($fields, idempotencyKey: 'php ñ 1');
      $state = $recaudo->sandbox->pay($made['id'], ['channel' => 'credit_card'])['state'];
      $refund = $recaudo->paymentRequests->refund($made['id'], ['amount' => '30.50']);
      $kept = $recaudo->paymentRequests->getRefund($made['id'], $refund['id'])['amount'];
      $all = count($recaudo->paymentRequests->listRefunds($made['id']));
      $read = $recaudo->paymentRequests->get($made['id'], detail_retentions: true);
      $ids = array_column(iterator_to_array($recaudo->paymentRequests->list(external_reference: 'php 1', limit: 1), false), 'id');
      $today = date('d-m-Y', strtotime(substr($recaudo->sandbox->clock->get()['now'], 0, 10)));
      $report = $recaudo->reports->get('collection', $today);
      $sum = 0;
      foreach ($recaudo->reports->rows('collection', $today) as $row) $sum += Recaudo\\centavos($row['amount_paid']);
      $recaudo->reports->csv('collection', $today, '${path.join(scratch, 'day.csv')}');
      $events = array_column(iterator_to_array($recaudo->events->list(), false), 'event_type');
      return [$made['id'] === $again['id'], $state, $kept, $all, isset($read['retentions']), $ids === [$made['id']],
        $sum === Recaudo\\centavos($report['total_collected']), $sum,
        str_contains(file_get_contents('${path.join(scratch, 'day.csv')}'), (string) $made['id']),
        in_array('payment_request.paid', $events), $recaudo->balances()['unavailable_balance'] > 0,
        is_string($recaudo->nextBusinessDay('10-12-2030', 2)), count($recaudo->installments('1000')) > 0];`);
    expect(found).toEqual([
      ...[true, 'paid', 30.5, 1, true, true, true, 143_050],
      ...[true, true, true, true, true],
    ]);
  });

  testPhp('creates mandates, debits, webhooks and QRs, in bulk too', async () => {
    const found = await here(`
      $adhesion = $recaudo->adhesions->create(['adhesion_holder_name' => 'Ana Pérez', 'email' => 'ana@example.com',
        'description' => 'Cuota social', 'short_description' => 'Cuota', 'cbu_number' => '0110599500000123456784',
        'cbu_holder_name' => 'Ana Pérez', 'cbu_holder_id_number' => 20055361682]);
      $debit = $recaudo->debitRequests->create(['adhesion_id' => $adhesion['id'], 'description' => 'Cuota',
        'first_due_date' => '10-12-2030', 'first_total' => 100]);
      $states = [$recaudo->debitRequests->cancel($debit['id'])['state'], $recaudo->adhesions->cancel($adhesion['id'])['state']];
      $item = ['city' => 'Rosario', 'multiple_payment' => false, 'first_total' => 1500, 'description' => 'Cuota',
        'first_due_date' => '10-12-2030', 'payer_name' => 'Ana'];
      $of = fn (int $from, int $to) => array_map(fn ($n) => ['id' => "PHP-$n"] + $item, range($from, $to));
      $recaudo->qr->save($of(1, 2));
      $states[] = $recaudo->qr->pay('PHP-1')['status'];
      $recaudo->qr->deleteMany(['PHP-2']);
      $states[] = $recaudo->qr->get('PHP-2')['status'];
      $bad = caught(fn () => $recaudo->qr->save([['id' => 'PHP-3', 'city' => ''] + $item]));
      $import = $recaudo->qr->imports->upload((function () use ($of) { yield from $of(10, 160); })());
      do usleep(20000); while (!in_array($recaudo->qr->imports->result($import['id'])['state'], ['completed', 'failed']));
      $rows = iterator_to_array($recaudo->qr->imports->rows($import['id']), false);
      $hook = $recaudo->webhooks->create(['url' => 'http://127.0.0.1:9/hook', 'event_types' => ['payment_request.paid']]);
      $hooks = count($recaudo->webhooks->list());
      $recaudo->webhooks->delete($hook['id']);
      $unknown = caught(fn () => (new Recaudo\\Recaudo('rk_unknown', getenv('RECAUDO_URL')))->account());
      return [...$states, $bad['qrCode'], $bad['fields'][0]->path, count($rows), array_unique(array_column($rows, 'status')),
        $hooks, $unknown['status'], $unknown['errorCode'], is_string($unknown['requestId'])];`);
    expect(found).toEqual([
      ...['canceled', 'canceled', 'Paid', 'Deleted', 'H103', 'city', 151, ['created']],
      ...[1, 401, 'api_key.unknown', true],
    ]);
  });

  testPhp('runs the examples of the PHP client’s README unchanged', async () => {
    const readme = await readFile(path.join(folder, 'README.md'), 'utf8');
    const [payment = '', receiver = ''] = [...readme.matchAll(/```php\n([\s\S]*?)```/g)].map(
      ([, code = '']) => code.replace("'recaudo.php'", `'${path.join(folder, 'recaudo.php')}'`),
    );
    const first = path.join(scratch, 'payment.php');
    await writeFile(first, payment);
    const env = { RECAUDO_KEY: testKey, RECAUDO_URL: service.origin };
    const ran = await runProgram('php', [first], { cwd: scratch, env });
    expect(ran.output).toMatch(/\/checkout\/.*\n\d+ paid\n404 payment_request\.not_found\n$/);
    const second = path.join(scratch, 'receiver.php');
    await writeFile(second, receiver);
    const port = await freePort('127.0.0.1');
    const listening = spawn('php', ['-S', `127.0.0.1:${port}`, second], {
      env: { ...process.env, WEBHOOK_SECRET: secret },
      stdio: 'ignore',
    });
    const body = '{"event_type":"payment_request.paid","payload":{"amount":1430.5}}';
    const now = new Date();
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('evt_1', now, body),
    };
    const post = (text: string) =>
      fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: text }).then(
        ({ status }) => status,
        () => null,
      );
    await expect.poll(() => post(`${body} `)).toBe(400);
    expect(await post(body)).toBe(204);
    listening.kill();
  });
});

test('names every call of the PHP client in its README', async () => {
  const readme = await readFile(path.join(folder, 'README.md'), 'utf8');
  for (const file of ['recaudo.php', 'nouns.php', 'qr.php']) {
    const source = await readFile(path.join(folder, file), 'utf8');
    for (const [, name = ''] of source.matchAll(/public function (?!__)(\w+)/g)) {
      expect(readme, name).toMatch(new RegExp(`\\b${name}\\b`));
    }
  }
});
