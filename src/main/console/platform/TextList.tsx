import { useState } from 'preact/hooks';
import { Button } from '../base/components/Button';
import { TextField } from '../base/components/Field';
import { t } from '../base/text';

interface Props {
  label: string;
  help: string;
  placeholder: string;
  items: readonly string[];
  /** Normalizes an entry; undefined rejects it. */
  read: (typed: string) => string | undefined;
  problem: string;
  onItems: (items: string[]) => Promise<boolean>;
}

export function TextList({ label, help, placeholder, items, read, problem, onItems }: Props) {
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState(false);
  const add = async (event: Event): Promise<void> => {
    event.preventDefault();
    const item = read(typed);
    if (item === undefined) {
      setWrong(true);
    } else if (items.includes(item) || (await onItems([...items, item]))) {
      setTyped('');
    }
  };
  return (
    <div class="column">
      {items.length > 0 ? (
        <ul class="origins" aria-label={label}>
          {items.map((item) => (
            <li key={item}>
              <code class="cut">{item}</code>
              <span class="spread" />
              <Button
                kind="quiet"
                size="small"
                icon="x"
                label={t('platform.takeAway', { name: item })}
                onClick={() => onItems(items.filter((each) => each !== item))}
              />
            </li>
          ))}
        </ul>
      ) : null}
      <form onSubmit={(event) => void add(event)} noValidate>
        <TextField
          label={label}
          help={help}
          problem={wrong ? problem : undefined}
          value={typed}
          onValue={(value) => {
            setTyped(value);
            setWrong(false);
          }}
          control={{ placeholder, spellcheck: false, autocapitalize: 'off' }}
        />
        <p class="add-under">
          <Button icon="plus" type="submit" disabled={typed.trim() === ''}>
            {t('platform.add')}
          </Button>
        </p>
      </form>
    </div>
  );
}
