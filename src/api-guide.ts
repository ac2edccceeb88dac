const before = `# Recaudo

> A self-hosted service that collects payments in Argentina over JSON and HTTP: payment requests with a checkout and coupons, direct debit on bank accounts (CBU) and cards, interoperable QR codes, reports that add up to the cent, signed webhooks, and a sandbox whose clock can be moved.

All paths below belong to the address from which this page came; a local sandbox is at http://127.0.0.1:8360.

## Begin

- **Key.** Send \`Authorization: Bearer <key>\` with each call. Keys begin with \`rk_test_\` in a sandbox and with \`rk_live_\` in production; the portal makes them, and a new sandbox prints one. A key belongs to one account; \`GET /account\` tells which.
- **Body.** JSON with \`Content-Type: application/json\`. Payment requests, mandates, debits, refunds and webhooks are wrapped in a member of their name, as the examples show.
- **Amounts** are pesos with at most two decimals, as numbers: \`1430.5\`. **Days** are sent as \`dd-mm-yyyy\` in Argentine time. Moments in answers are ISO 8601 with \`-03:00\`.
- **Once.** Send \`Idempotency-Key: <your text>\` with each POST that creates: the same key with the same body gives the first answer again and does nothing twice. A call refused with 400 does not use up its key: correct the body and send it again.
- **Lists** take \`limit\` (at most 100) and \`after\` (the last id you have), and answer \`data\`.
- **Ids** of requests, debits and mandates are numbers; of QRs texts that begin with the account's id, which may be left out in paths and bodies.
- **Channels.** \`excluded_channels\` and \`POST /sandbox/pay\` take codes such as \`credit_card\`. \`channel\` of a result is the name that people know, such as "Visa".
- Members marked \`*\` must be sent.

\`\`\`
curl -sS http://127.0.0.1:8360/payment-request -H "Authorization: Bearer $RECAUDO_KEY" \\
  -H 'Content-Type: application/json' -H 'Idempotency-Key: order-66' \\
  -d '{"payment_request":{"description":"Cuota","first_due_date":"10-12-2030","first_total":1430.5,"payer_name":"Ana Pérez"}}'
\`\`\`

Send the payer to \`checkout_url\` of the answer. In the sandbox pay it with \`POST /sandbox/pay/{id}\`.

## States

- A request expires at the end of its last due date. The first one may be today.
- Payment requests: \`pending\` → \`paid\` or \`expired\`; \`expired\` → \`paid\` when cash arrives late; \`paid\` → \`refunded\` or \`reverted\` (chargeback). A part given back leaves it \`paid\`. \`request_result\` lists every payment, rejection, refund and chargeback.
- Mandates (adhesions): \`pending_to_sign\` → \`signed\` → \`canceled\`. Debits need a signed one.
- Debits: \`pending\` → \`in_process\` → \`paid\` or \`rejected\` (\`state_comment\` has the bank's code, such as R10: insufficient funds); \`pending\` → \`canceled\`; \`paid\` → \`reverted\` or \`refunded\`.
- QRs: \`Pending\` → \`Paid\`, \`Deleted\` or \`Expired\`; \`Paid\` → \`Refunded\`.

## Sandbox

- Mandates are signed at once (the POST still answers \`pending_to_sign\`), unless the local part of the e-mail ends in \`+nosign\`.
- Debits run when their due date begins. \`POST /validator/next-business-day\` computes days of notice. Move the clock with \`POST /sandbox/clock\` and \`{"days": 30}\`, or \`{"advance_to": "2030-12-10T09:00:00-03:00"}\`. It moves for everybody and never goes back. What falls due on the way happens before it answers.
- The cents decide for cards, debits and QRs: .91 insufficient funds, .92 rejected by the issuer, .93 stopped by the holder, .94 no answer for a day, .95 paid and then reverted. Any other amount is approved.
- Test card: 4507990000004905. Cash (\`non_banking\`) is the channel of \`POST /sandbox/pay\` if none is named; it also pays what has expired.`;

const after = `## Errors

A refusal is JSON: \`code\` (the HTTP status), \`message\` (what is wrong and what is allowed), \`errors\` (each sentence), \`error_code\` (stable, for programs), and for fields \`children\` with \`errors\` and \`codes\` at each. The QR service has codes such as \`H103\` in \`code\`.

- 400 \`invalid_fields\`: correct the fields named in \`errors\`. 401: the key is missing or wrong. 403: the key may not do this. 404: there is none with this id in your account. 409: the state does not allow it; the message names it. 422: this Idempotency-Key was used with another body.
- 429 and 503: wait for \`Retry-After\` and repeat. After a lost connection or \`outcome_unknown\` repeat with the same Idempotency-Key.

## Webhooks

\`POST /webhook\` registers an address and shows its secret once. Each event is a POST \`{entity_name, type, event_type, entity_id, created_at, payload}\`, signed by the Standard Webhooks specification: headers \`webhook-id\`, \`webhook-timestamp\`, \`webhook-signature\`; the signature is \`v1,\` and the base64 of HMAC-SHA256 of \`id.timestamp.body\` with the decoded secret. Answer 2xx; an event can come twice, with the same \`webhook-id\`. What was missed is in \`GET /event\`.

## More

- \`/openapi.json\`: every call with schemas and examples (OpenAPI 3.1); \`/docs\`: the same to browse.
- In the repository: \`docs/reference/api.md\`, \`docs/reference/errors.md\` (every error code with its remedy), \`docs/reference/sandbox.md\`, \`docs/how-to/webhooks.md\`, \`docs/how-to/direct-debit.md\`, \`docs/how-to/qr.md\`.
- Clients: \`clients/typescript\` (\`@recaudo/client\`), \`clients/python\`. Tools for agents: \`npx recaudo mcp\` (\`docs/how-to/agents.md\`).`;

/** The text of `/llms.txt` around the calls. */
export const apiGuide = { before, after };
