import {
  ChoicesField,
  LongTextField,
  SelectField,
  TextField,
  UploadField,
} from '../../platform/pages/components/field.tsx';
import { Form } from '../../platform/pages/components/form.tsx';

const here = '/portal/styles';
const amountFault = 'Escribí un importe de hasta 8 cifras y 2 decimales, como 1250,50.';

function SampleChoices() {
  return (
    <>
      <ChoicesField
        lang="es"
        id="sample-kind"
        name="kind"
        kind="radio"
        label="Cómo se cobra"
        fault="Elegí una forma."
        values={[]}
        choices={[
          { value: 'once', label: 'Una vez', hint: 'Con un cobro' },
          { value: 'monthly', label: 'Todos los meses', hint: 'Con una adhesión' },
        ]}
      />
      <ChoicesField
        lang="es"
        id="sample-mails"
        name="mails"
        kind="checkbox"
        label="Mails"
        hint="Qué le mandamos a quien paga."
        values={['receipt']}
        choices={[
          { value: 'request', label: 'El cobro con su cupón' },
          { value: 'receipt', label: 'El comprobante' },
        ]}
      />
    </>
  );
}

/** Shows every field, two of them with faults. */
export function SampleForm() {
  return (
    <Form
      lang="es"
      action={here}
      submit="Crear el cobro"
      back={here}
      sample
      faults={[
        { field: 'sample-amount', label: 'Importe', text: amountFault },
        { field: 'sample-kind', label: 'Cómo se cobra', text: 'Elegí una forma.' },
      ]}
    >
      <TextField
        lang="es"
        id="sample-name"
        name="payer_name"
        label="Pagador"
        hint="Como lo va a leer quien paga."
        autocomplete="off"
        value="Juan Pérez"
        maxLength={255}
        required
      />
      <TextField
        lang="es"
        id="sample-amount"
        name="amount"
        label="Importe"
        inputMode="decimal"
        value="12.5.0"
        short
        fault={amountFault}
      />
      <TextField lang="es" id="sample-day" name="day" label="Vence" type="date" short />
      <LongTextField
        lang="es"
        id="sample-text"
        name="text"
        label="Concepto"
        optional
        value="Cuota de noviembre"
      />
      <SelectField
        lang="es"
        id="sample-channel"
        name="channel"
        label="Canal"
        choices={[
          { value: 'qr', label: 'QR' },
          { value: 'DEBIN', label: 'DEBIN' },
        ]}
      />
      <SampleChoices />
      <UploadField
        lang="es"
        id="sample-file"
        name="file"
        label="Planilla"
        hint="CSV o XLSX, hasta 20.000 filas y 16 MB."
        accept=".csv,.xlsx"
      />
    </Form>
  );
}
