<?php

return ['language' => 'es_MX'] + require __DIR__ . '/recaudo-es_AR.l10n.php';
