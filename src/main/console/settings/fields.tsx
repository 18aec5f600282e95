import { TextField } from '../base/components/Field';
import { t } from '../base/text';

interface Props {
  value: string;
  onValue: (value: string) => void;
  problems: Record<string, string>;
}

/** The name of a personal project is that of its owner. */
export function ProjectNameField({ value, onValue, problems, isTeam }: Props & { isTeam: boolean }) {
  return (
    <TextField
      label={t('settings.name')}
      value={value}
      onValue={onValue}
      help={t(isTeam ? 'settings.nameHelp' : 'settings.namePersonal')}
      problem={problems['displayName']}
      control={{ name: 'displayName', maxLength: 255, autocomplete: 'off', readOnly: !isTeam }}
    />
  );
}

/** Limit of concurrent runs of a project. */
export function JobsField({ value, onValue, problems }: Props) {
  return (
    <TextField
      label={t('settings.jobs')}
      value={value}
      onValue={onValue}
      help={t('settings.jobsHelp')}
      problem={problems['maxConcurrentJobs']}
      control={{ name: 'maxConcurrentJobs', inputMode: 'numeric', autocomplete: 'off' }}
    />
  );
}
