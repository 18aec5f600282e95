import type { Form } from '#api';
import { useMemo, useState } from 'preact/hooks';
import { answerOf, type Answer } from '../answer';
import type { Place } from '../place';
import { Sheet } from '../Sheet';
import { Done } from './Done';
import { Fields } from './Fields';
import { beginningsOf, inputsOf, type Value } from './inputs';

/** Form: fields first, then the result. */
export function FormPage({ form, place }: { form: Form; place: Place }) {
  const inputs = useMemo(() => inputsOf(form.props.inputs ?? []), [form]);
  const [values, change] = useState<Record<string, Value>>(() => beginningsOf(inputs, place.defaults));
  const [answer, take] = useState<Answer>();
  const [round, begin] = useState(0);
  const again = (): void => {
    change(beginningsOf(inputs, place.defaults));
    take(undefined);
    begin(round + 1);
  };
  return (
    <Sheet draft={place.draft}>
      {answer
        ? <Done title={form.title} answer={answer} again={again} />
        : (
          <Fields
            key={round} title={form.title} place={place} waits={form.props.waitForResponse} inputs={inputs} values={values}
            onValue={(key, value) => change((now) => ({ ...now, [key]: value }))}
            done={(body) => take(form.props.waitForResponse ? answerOf(body) : { text: '', files: [] })}
          />
        )}
    </Sheet>
  );
}
