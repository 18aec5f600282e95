import { useState } from 'preact/hooks';
import type { Failure } from '../../../base/api/failure';
import { Button } from '../../../base/components/Button';
import { Field, TextField } from '../../../base/components/Field';
import { FileDrop } from '../../../base/components/FileDrop';
import { Notice } from '../../../base/components/States';
import { t } from '../../../base/text';
import type { Source } from './document';

const KINDS = ['url', 'file', 'text'] as const;

export function SourceForm({
  read,
  close,
}: {
  read: (source: Source, baseUrl: string) => Promise<Failure | undefined>;
  close: () => void;
}) {
  const [kind, setKind] = useState<Source['kind']>('url');
  const [url, setUrl] = useState('');
  const [file, setFile] = useState<File>();
  const [text, setText] = useState('');
  const [baseUrl, setBaseUrl] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const source: Source | undefined =
    kind === 'url'
      ? url.trim()
        ? { kind, url }
        : undefined
      : kind === 'file'
        ? file
          ? { kind, file }
          : undefined
        : text.trim()
          ? { kind, text }
          : undefined;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (source) {
      setIsBusy(true);
      const refusal = await read(source, baseUrl);
      setIsBusy(false);
      setFailure(refusal);
    }
  };
  const fields = failure?.fields ?? {};
  const problem = fields[kind === 'text' ? 'document' : kind] ?? fields['document'];
  const others = Object.entries(fields).filter(([name]) => name !== kind && name !== 'document' && name !== 'baseUrl');
  const choose = (next: Source['kind']): void => {
    setKind(next);
    setFailure(undefined);
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <div class="body">
        <p class="faint">{t('openapi.text')}</p>
        <fieldset class="ticks source-kinds">
          <legend>{t('openapi.source')}</legend>
          {KINDS.map((each) => (
            <label key={each} class="check">
              <input type="radio" name="source" value={each} checked={kind === each} onChange={() => choose(each)} />
              <span>{t(`openapi.source.${each}`)}</span>
            </label>
          ))}
        </fieldset>
        {kind === 'url' ? (
          <TextField
            label={t('openapi.url')}
            help={t('openapi.urlHelp')}
            value={url}
            onValue={setUrl}
            problem={problem}
            control={{
              name: 'url',
              type: 'url',
              placeholder: 'https://api.example.com/openapi.json',
              spellcheck: false,
              autocapitalize: 'off',
            }}
          />
        ) : null}
        {kind === 'file' ? (
          <FileDrop
            label={t('openapi.file')}
            accept=".json,.yaml,.yml,application/json,application/yaml"
            chosen={file ? [file.name] : []}
            onFiles={(files) => setFile(files[0])}
            problem={problem}
          />
        ) : null}
        {kind === 'text' ? (
          <Field label={t('openapi.document')} problem={problem}>
            {(wiring) => (
              <textarea
                class="input code-text"
                {...wiring}
                name="document"
                rows={10}
                spellcheck={false}
                value={text}
                onInput={(event) => setText(event.currentTarget.value)}
              />
            )}
          </Field>
        ) : null}
        <TextField
          label={t('openapi.baseUrl')}
          optional
          help={t('openapi.baseUrlHelp')}
          value={baseUrl}
          onValue={setBaseUrl}
          problem={fields['baseUrl']}
          control={{ name: 'baseUrl', type: 'url', placeholder: 'https://api.example.com', spellcheck: false }}
        />
        {others.map(([name, told]) => (
          <Notice key={name} tone="red">{`${name}: ${told}`}</Notice>
        ))}
        {failure && Object.keys(fields).length === 0 ? <Notice failure={failure} /> : null}
      </div>
      <footer>
        <Button onClick={close}>{t('base.cancel')}</Button>
        <Button kind="primary" type="submit" busy={isBusy} disabled={!source}>
          {t('openapi.read')}
        </Button>
      </footer>
    </form>
  );
}
