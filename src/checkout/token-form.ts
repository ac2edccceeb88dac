import type { CardBrand } from '../kernel/card-number.ts';
import type { ChannelCode, PayerForm } from '../money/channels/index.ts';
import {
  type CardTerms,
  emailFault,
  handedIn,
  onePayment,
  type Posted,
  planFault,
  type ReadInstrument,
  typed,
} from './form.ts';
import type { FieldFault, HandedCard } from './views/model.ts';

type Frame = Extract<PayerForm, { kind: 'frame' }>;

/**
 * Parses the chosen plan, `brandCode:count`. Its brand must be the frame's, if the frame sent one.
 * Returns undefined if there is no such plan.
 */
function planIn(chosen: string, frameBrand: CardBrand | null, { plans }: CardTerms) {
  const ofCard = plans.filter(({ brand }) => frameBrand === null || brand === frameBrand);
  const [only, ...others] = ofCard.flatMap((brand) => brand.plans);
  // A single plan needs no choice.
  if (chosen === '' && others.length === 0) return only;
  const [code, count] = chosen.split(':');
  const brand = plans.find((one) => one.code === code);
  if (!brand || (frameBrand !== null && brand.brand !== frameBrand)) return undefined;
  return brand.plans.find((plan) => String(plan.installments) === count);
}

function cardFault(
  handed: HandedCard | null,
  channel: ChannelCode,
  { plans, kindOf, accepts }: CardTerms,
): FieldFault | undefined {
  if (!handed) return 'required';
  const { brand, bin } = handed;
  if (brand === null) return undefined;
  // Checked before charging, but the acquirer decides.
  const kind = kindOf({ number: bin ?? '', brand });
  if (kind === 'credit' && channel === 'debit_card') return 'card_is_credit';
  if (kind === 'debit' && channel === 'credit_card') return 'card_is_debit';
  if (!accepts(brand)) return 'card_not_accepted';
  if (channel === 'debit_card') return undefined;
  return plans.some((one) => one.brand === brand) ? undefined : 'card_not_accepted';
}

/** Reads a form with a frame's card: its token and hints, and the email and plan from our page. */
export function readToken(
  channel: ChannelCode,
  posted: Posted,
  terms: CardTerms,
  { asksPlan }: Frame,
): ReadInstrument {
  const handed = handedIn(posted);
  const email = typed(posted, 'holder_email');
  const chosen = typed(posted, 'installments');
  const tokenFault = cardFault(handed, channel, terms);
  const isOurs = channel === 'credit_card' && !asksPlan;
  const plan = isOurs ? planIn(chosen, handed?.brand ?? null, terms) : onePayment(terms.amount);
  const found: Record<string, FieldFault | undefined> = {
    card_number: tokenFault,
    holder_email: emailFault(email),
    installments: planFault(chosen, plan, tokenFault),
  };
  const faults = Object.fromEntries(Object.entries(found).filter(([, fault]) => fault));
  if (Object.keys(faults).length > 0 || !plan || !handed) return { faults };
  const holderEmail = email === '' ? null : email;
  return {
    instrument: {
      type: 'token',
      card: { ...handed, holderEmail, plan: asksPlan ? null : plan },
    },
  };
}
