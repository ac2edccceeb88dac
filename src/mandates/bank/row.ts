import type { Beginning } from '../create.ts';
import type { BankMandate, DebitCarriers } from '../mandate.ts';
import { type BankMandateInput, refuseBankField } from './schema.ts';

export const bankRow =
  (carriers: DebitCarriers) =>
  async (input: BankMandateInput, beginning: Beginning): Promise<BankMandate> => {
    const fault = carriers.bankFault();
    if (fault !== null) throw refuseBankField('cbu_number', fault);
    return {
      ...beginning,
      kind: 'adhesion',
      reference: input.external_reference,
      holder: input.adhesion_holder_name,
      email: input.email,
      description: input.description,
      payer: input.cbu_holder_name,
      cbu: input.cbu_number,
      details: {
        short_description: input.short_description,
        holder_id_number: input.cbu_holder_id_number,
        ...(input.metadata && { metadata: input.metadata }),
      },
    };
  };
