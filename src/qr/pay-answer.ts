import { type Static, Type } from 'typebox';
import type { PayOutcome } from '../money/charges/index.ts';
import { type QrCode, successCodes } from './errors/codes.ts';
import { statusNames } from './state.ts';

/** The response of calls that simulate a payer. */
export const paidAnswer = Type.Object(
  {
    code: Type.String(),
    message: Type.String(),
    qr_id: Type.String(),
    status: Type.String({ enum: Object.values(statusNames) }),
  },
  { title: 'QrPayment' },
);

const codes: Record<PayOutcome['outcome'], QrCode> = {
  approved: successCodes.paid,
  rejected: successCodes.refused,
  action_required: successCodes.unanswered,
  pending: successCodes.unanswered,
};

const messageOf = (outcome: PayOutcome): string => {
  if (outcome.outcome === 'approved') return 'Ok';
  return outcome.outcome === 'rejected' ? outcome.text : 'The wallet has not answered yet.';
};

export const presentPaid = (
  qrId: string,
  status: string,
  outcome: PayOutcome,
): Static<typeof paidAnswer> => ({
  code: codes[outcome.outcome].code,
  message: messageOf(outcome),
  qr_id: qrId,
  status,
});
