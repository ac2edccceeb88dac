import { type Static, Type } from 'typebox';
import { pending, unheard } from './charges.ts';
import { account, alarm, id, moment, text } from './fields.ts';

/**
 * `PUT /accounts/{reference}`: opens an account for the transfers of one request. It moves no
 * money, so the same PUT also serves as the inquiry: one reference has one account.
 */
export const openSchema = Type.Object({
  reference: id('The id in the path'),
  business_time: moment('Current time on the business clock'),
  account,
  request: Type.Object({
    id: Type.String({
      pattern: '^[1-9][0-9]{0,14}$',
      description: 'The id of the payment request, unique in the deployment',
    }),
  }),
  holder: Type.Object({
    name: text(255, 'The account holder'),
    cuit: Type.String({ pattern: '^[0-9]{11}$' }),
  }),
  deadline: moment('The service stops waiting at this time (wall clock)'),
});
export type OpenOrder = Static<typeof openSchema>;

/** The outcome of opening an account. */
export const openedSchema = Type.Union([
  Type.Object({
    outcome: Type.Literal('open'),
    cvu: Type.String({
      pattern: '^[0-9]{22}$',
      description: 'CVU of this request only, permanently; both check digits are correct',
    }),
  }),
  Type.Object({
    outcome: Type.Literal('rejected'),
    code: text(32, "The bank's code"),
    text: text(255, 'Explanation'),
    alarm,
  }),
  pending,
  unheard,
]);
export type AccountOutcome = Static<typeof openedSchema>;
