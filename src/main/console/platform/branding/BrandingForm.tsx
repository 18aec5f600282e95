import { useState } from 'preact/hooks';
import type { Failure } from '../../base/api/failure';
import { Button } from '../../base/components/Button';
import { Field, TextField } from '../../base/components/Field';
import { Panel } from '../../base/components/Panel';
import { Notice } from '../../base/components/States';
import { say } from '../../base/components/Toasts';
import { reloadFlags } from '../../base/session';
import { t } from '../../base/text';
import type { Platform } from '../usePlatform';
import { changesOf, colorProblem, LOGOS, type Look } from './look';
import { Preview } from './Preview';

interface Props {
  platform: Platform;
  change: (changes: FormData) => Promise<Failure | undefined>;
}

export function BrandingForm({ platform, change }: Props) {
  const [look, setLook] = useState<Look>({ name: platform.name, primaryColor: platform.primaryColor, files: {} });
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const problems = failure?.fields ?? {};
  const color = colorProblem(look.primaryColor);
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const refusal = await change(changesOf(look, platform));
    if (!refusal) {
      await reloadFlags();
      setLook({ ...look, files: {} });
      say(t('branding.saved'));
    }
    setBusy(false);
    setFailure(refusal);
  };
  return (
    <div class="branding">
      <Panel title={t('branding.look')} text={t('branding.text')}>
        <form class="page-form" onSubmit={(event) => void save(event)} noValidate>
          <TextField
            label={t('branding.name')}
            value={look.name}
            onValue={(name) => setLook({ ...look, name })}
            problem={problems['name']}
            control={{ name: 'name' }}
          />
          <Field
            label={t('branding.color')}
            help={t('branding.colorHelp')}
            problem={color ? t(color) : problems['primaryColor']}>
            {(wiring) => (
              <span class="row">
                <input
                  class="swatch"
                  type="color"
                  aria-label={t('branding.pick')}
                  value={color ? '#000000' : look.primaryColor}
                  onInput={(event) => setLook({ ...look, primaryColor: event.currentTarget.value })}
                />
                <input
                  class="input"
                  {...wiring}
                  name="primaryColor"
                  value={look.primaryColor}
                  spellcheck={false}
                  onInput={(event) => setLook({ ...look, primaryColor: event.currentTarget.value.trim() })}
                />
              </span>
            )}
          </Field>
          {LOGOS.map(({ field, text, help }) => (
            <Field key={field} label={t(text)} help={t(help)} problem={problems[field]}>
              {(wiring) => (
                <input
                  class="input"
                  {...wiring}
                  name={field}
                  type="file"
                  accept="image/png,image/jpeg,image/gif,image/webp,image/x-icon"
                  onChange={(event) =>
                    setLook({ ...look, files: { ...look.files, [field]: event.currentTarget.files?.[0] } })
                  }
                />
              )}
            </Field>
          ))}
          {failure && Object.keys(problems).length === 0 ? <Notice failure={failure} /> : null}
          <footer>
            <Button kind="primary" type="submit" busy={busy} disabled={look.name.trim() === '' || color !== undefined}>
              {t('base.save')}
            </Button>
          </footer>
        </form>
      </Panel>
      <Preview look={look} platform={platform} />
    </div>
  );
}
