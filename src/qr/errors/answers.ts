import { Readable } from 'node:stream';
import { type FieldFaultsByName, walkFaults } from '../../platform/errors.ts';
import { errorAnswer, errorPieces, faultsAtOnce } from '../../platform/http/answers.ts';
import { jsonType } from '../../platform/http/endpoint.ts';
import type { SendFailure } from '../../platform/http/paths.ts';
import { type App, sendErrorBody } from '../../platform/http/server.ts';
import type { Log } from '../../platform/log.ts';
import { BatchRefusal, presentFault } from './batch-refusal.ts';
import { itemsInvalid, qrCodeOf } from './codes.ts';
import { compressed } from './compressed.ts';

type PresentedFault = ReturnType<typeof presentFault>;

export interface QrErrorAnswer {
  code: string;
  message: string;
  error_code?: string;
  errors?: readonly PresentedFault[];
}

export const qrErrorSchema = {
  $id: 'QrError',
  type: 'object',
  required: ['code', 'message', 'errors', 'error_code'],
  properties: {
    code: { type: 'string', description: 'Code to branch on: see the table of codes' },
    message: { type: 'string', description: 'One sentence: what is wrong and what is allowed' },
    errors: {
      type: 'array',
      description:
        'Every fault in the fields of a form or the items of a batch; for any other error, ' +
        'its message',
      items: {
        anyOf: [
          {
            type: 'object',
            required: ['message'],
            properties: {
              index: { type: 'integer', description: 'Index of the item in data, from 0' },
              id: { type: 'string' },
              field: { type: 'string' },
              message: { type: 'string' },
              error_code: { type: 'string', description: 'Code of the fault, if it has one' },
            },
          },
          { type: 'string' },
        ],
      },
    },
    error_code: {
      type: 'string',
      description: 'More specific than `code`; see docs/reference/errors.md',
    },
  },
};

/** Flattens the faults of a form into a list. Nested members have a path with dots. */
const faultsOf = (children: FieldFaultsByName): PresentedFault[] =>
  walkFaults(children).map(({ path, message, localized = null }) =>
    presentFault({ field: path.join('.'), message, localized }),
  );

/** Converts an error to a response. `expected` is false for errors to investigate. */
export function qrErrorAnswer(error: unknown): {
  status: number;
  answer: QrErrorAnswer;
  expected: boolean;
  retryAfter: number | null;
} {
  const { answer, expected, retryAfter } = errorAnswer(error);
  const { code: status, message, children, error_code } = answer;
  return {
    status,
    answer: {
      // A conflict may name a field although its form was valid.
      code: children && status === 400 ? itemsInvalid : qrCodeOf(status, error_code),
      message,
      ...(error_code !== undefined && { error_code }),
      ...(children && { errors: faultsOf(children) }),
      ...(error instanceof BatchRefusal && { errors: error.errors.map(presentFault) }),
    },
    expected,
    retryAfter,
  };
}

/** Answers a call that reached no handler. */
export const sendQrFailure: SendFailure = (reply, error) => {
  const { status, answer, retryAfter } = qrErrorAnswer(error);
  return sendErrorBody(reply, status, answer, retryAfter);
};

/** Makes a scope format errors like the QR service and reject compressed bodies. */
export function answerAsQrService(scope: App, log: Log): void {
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, sendFailure: sendQrFailure };
  });
  scope.addHook('preParsing', (request, _reply, _payload, done) => {
    const encoding = request.headers['content-encoding'] ?? 'identity';
    done(encoding.toLowerCase() === 'identity' ? null : compressed());
  });
  scope.setErrorHandler((error, request, reply) => {
    if (error instanceof BatchRefusal && error.errors.length > faultsAtOnce) {
      const { status, errorCode, message, errors } = error;
      const head = {
        code: qrCodeOf(status, errorCode),
        message,
        ...(errorCode !== undefined && { error_code: errorCode }),
      };
      const pieces = Readable.from(errorPieces(head, errors, presentFault));
      return reply.code(status).type(jsonType).send(pieces);
    }
    const { status, answer, expected, retryAfter } = qrErrorAnswer(error);
    if (!expected) log.error({ err: error, requestId: request.id }, 'a call failed');
    return sendErrorBody(reply, status, answer, retryAfter);
  });
}
