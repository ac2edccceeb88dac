import { type CardBrand, isCardBrand } from '../kernel/card-number.ts';
import type { ChannelCode, PayerForm } from '../money/channels/index.ts';
import {
  type CardTerms,
  emailFault,
  nameFault,
  onePayment,
  type Posted,
  planFault,
  type ReadInstrument,
  typed,
} from './form.ts';
import type { FieldFault } from './views/model.ts';

type Frame = Extract<PayerForm, { kind: 'frame' }>;

/** What a frame told of the card beside its token: hints; what is none of them is left out. */
function hintsIn(posted: Posted) {
  const { brand = '', bin = '', last_four: digits = '' } = posted;
  const name = typed(posted, 'card_holder_name');
  return {
    brand: isCardBrand(brand) ? brand : null,
    bin: /^[0-9]{6,8}$/.test(bin) ? bin : null,
    lastFour: /^[0-9]{4}$/.test(digits) ? digits : null,
    holderName: nameFault(name) === undefined ? name : null,
  };
}

/** The plan chosen, as `brandCode:count`; of the brand that the frame told, if it told one. */
function planIn(chosen: string, told: CardBrand | null, { plans }: CardTerms) {
  const [code, count] = chosen.split(':');
  const brand = plans.find((one) => one.code === code);
  if (!brand || (told !== null && brand.brand !== told)) return undefined;
  return brand.plans.find((plan) => String(plan.installments) === count);
}

const tokenShape = /^[!-~]{1,512}$/;

function cardFault(
  token: string,
  brand: CardBrand | null,
  channel: ChannelCode,
  { plans, accepts }: CardTerms,
): FieldFault | undefined {
  if (!tokenShape.test(token)) return 'required';
  if (brand === null) return undefined;
  if (!accepts(brand)) return 'card_not_accepted';
  if (channel === 'debit_card') return undefined;
  return plans.some((one) => one.brand === brand) ? undefined : 'card_not_accepted';
}

/** Reads a form whose card a frame took: a token, hints, and what is asked for on our page. */
export function readToken(
  channel: ChannelCode,
  posted: Posted,
  terms: CardTerms,
  { asksPlan }: Frame,
): ReadInstrument {
  const { token = '' } = posted;
  const hints = hintsIn(posted);
  const email = typed(posted, 'holder_email');
  const chosen = typed(posted, 'installments');
  const tokenFault = cardFault(token, hints.brand, channel, terms);
  const isOurs = channel === 'credit_card' && !asksPlan;
  const plan = isOurs ? planIn(chosen, hints.brand, terms) : onePayment(terms.amount);
  const found: Record<string, FieldFault | undefined> = {
    card_number: tokenFault,
    holder_email: emailFault(email),
    installments: planFault(chosen, plan, tokenFault),
  };
  const faults = Object.fromEntries(Object.entries(found).filter(([, fault]) => fault));
  if (Object.keys(faults).length > 0 || !plan) return { faults };
  const holderEmail = email === '' ? null : email;
  return {
    instrument: {
      type: 'token',
      card: { token, ...hints, holderEmail, plan: asksPlan ? null : plan },
    },
  };
}
