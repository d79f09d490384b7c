project = 'Safety'
