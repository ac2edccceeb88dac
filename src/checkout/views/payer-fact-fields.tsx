import { provinces } from '../../kernel/provinces.ts';
import type { PayerFact } from '../../money/channels/index.ts';
import { type FormContext, SelectField, TextField } from './fields.tsx';
import type { FieldName } from './model.ts';
import { texts } from './texts.ts';

type FactProps = { context: FormContext; asks: readonly PayerFact[] };

const lines: readonly { name: FieldName; autocomplete: 'street-address' | 'address-level2' }[] = [
  { name: 'payer_street', autocomplete: 'street-address' },
  { name: 'payer_city', autocomplete: 'address-level2' },
];

export function PayerFactFields({ context, asks }: FactProps) {
  return (
    <>
      {asks.includes('id_number') && (
        <TextField
          context={context}
          name="payer_id_number"
          input={{ inputMode: 'numeric', autocomplete: 'off', maxLength: 15 }}
        />
      )}
      {asks.includes('phone') && (
        <TextField
          context={context}
          name="payer_phone"
          input={{ inputMode: 'tel', autocomplete: 'tel', maxLength: 25 }}
        />
      )}
      {asks.includes('address') && <Address context={context} />}
    </>
  );
}

function Address({ context }: { context: FormContext }) {
  return (
    <>
      {lines.map(({ name, autocomplete }) => (
        <TextField
          key={name}
          context={context}
          name={name}
          input={{ autocomplete, maxLength: 100 }}
        />
      ))}
      <TextField
        context={context}
        name="payer_postal_code"
        input={{ autocomplete: 'postal-code', maxLength: 10 }}
      />
      <SelectField context={context} name="payer_province">
        {(previous) => (
          <>
            <option value="">{texts[context.lang].chooseProvince}</option>
            {Object.entries(provinces).map(([letter, name]) => (
              <option key={letter} value={letter} selected={letter === previous}>
                {name}
              </option>
            ))}
          </>
        )}
      </SelectField>
    </>
  );
}
