import { useState } from 'preact/hooks';
import type { Failure } from '../../base/api/failure';
import { reliably } from '../../base/api/reliably';
import { FormDialog } from '../../base/components/Dialog';
import { Field, SelectField, TextField } from '../../base/components/Field';
import { say } from '../../base/components/Toasts';
import { t } from '../../base/text';
import type { GitRepo } from '../model';

const BRANCH_TYPES = ['DEVELOPMENT', 'PRODUCTION'] as const;

/** The server tests the access before it stores the address and the deploy key. */
export function RepositoryDialog({
  projectId,
  known,
  close,
  changed,
}: {
  projectId: string;
  known: GitRepo | null;
  close: () => void;
  changed: () => void;
}) {
  const [remoteUrl, setRemoteUrl] = useState(known?.remoteUrl ?? '');
  const [branch, setBranch] = useState(known?.branch ?? 'main');
  const [branchType, setBranchType] = useState<string>(known?.branchType ?? 'DEVELOPMENT');
  const [slug, setSlug] = useState(known?.slug ?? '');
  const [sshPrivateKey, setSshPrivateKey] = useState('');
  const perform = async (): Promise<Failure | undefined> => {
    const key = sshPrivateKey.trim() === '' ? '' : `${sshPrivateKey.trim()}\n`;
    const saved = await reliably('POST /v1/git-repos', {
      body: {
        projectId,
        remoteUrl: remoteUrl.trim(),
        branch: branch.trim(),
        branchType: branchType as GitRepo['branchType'],
        slug: slug.trim(),
        sshPrivateKey: key,
      },
    });
    if (saved.ok) {
      say(t('git.connected'));
      changed();
    }
    return saved.ok ? undefined : saved.failure;
  };
  const code = { autocomplete: 'off', spellcheck: false } as const;
  return (
    <FormDialog
      title={t('git.connect')}
      submit={t('git.connect')}
      onClose={close}
      perform={perform}
      disabled={remoteUrl.trim() === '' || slug.trim() === '' || sshPrivateKey.trim() === ''}>
      {(problems) => (
        <>
          <TextField
            label={t('git.url')}
            value={remoteUrl}
            onValue={setRemoteUrl}
            help={t('git.urlHelp')}
            problem={problems['remoteUrl']}
            control={{ name: 'remoteUrl', ...code }}
          />
          <TextField
            label={t('git.branch')}
            value={branch}
            onValue={setBranch}
            problem={problems['branch']}
            control={{ name: 'branch', ...code }}
          />
          <SelectField
            label={t('git.branchType')}
            value={branchType}
            onValue={setBranchType}
            options={BRANCH_TYPES.map((value) => ({ value, label: t(`git.branchType.${value}`) }))}
          />
          <TextField
            label={t('git.slug')}
            value={slug}
            onValue={setSlug}
            help={t('git.slugHelp')}
            problem={problems['slug']}
            control={{ name: 'slug', ...code }}
          />
          <Field label={t('git.key')} help={t('git.keyHelp')} problem={problems['sshPrivateKey']}>
            {(wiring) => (
              <textarea
                class="input key-input"
                name="sshPrivateKey"
                {...wiring}
                {...code}
                value={sshPrivateKey}
                onInput={(event) => setSshPrivateKey(event.currentTarget.value)}
              />
            )}
          </Field>
        </>
      )}
    </FormDialog>
  );
}
