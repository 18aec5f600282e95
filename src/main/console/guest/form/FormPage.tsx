import type { Form } from '#api';
import { useMemo, useState } from 'preact/hooks';
import { answerOf, type Answer } from '../answer';
import type { Place } from '../place';
import { Sheet } from '../Sheet';
import { Done } from './Done';
import { Fields } from './Fields';
import { beginningsOf, inputsOf, type Value } from './inputs';

export function FormPage({ form, place }: { form: Form; place: Place }) {
  const inputs = useMemo(() => inputsOf(form.props.inputs ?? []), [form]);
  const [values, setValues] = useState<Record<string, Value>>(() => beginningsOf(inputs, place.defaults));
  const [answer, setAnswer] = useState<Answer>();
  const [round, setRound] = useState(0);
  const again = (): void => {
    setValues(beginningsOf(inputs, place.defaults));
    setAnswer(undefined);
    setRound(round + 1);
  };
  return (
    <Sheet draft={place.draft}>
      {answer ? (
        <Done title={form.title} answer={answer} again={again} />
      ) : (
        <Fields
          key={round}
          title={form.title}
          place={place}
          waits={form.props.waitForResponse}
          inputs={inputs}
          values={values}
          onValue={(key, value) => setValues((now) => ({ ...now, [key]: value }))}
          done={(body) => setAnswer(form.props.waitForResponse ? answerOf(body) : { text: '', files: [] })}
        />
      )}
    </Sheet>
  );
}
